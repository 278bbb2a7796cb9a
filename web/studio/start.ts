// Brings the page to life: connection, clock and store; the drawing, charts, text, facts and player; states and keys.
import { Stack } from "../shared/charts/stack";
import { Clock } from "../shared/clock";
import type { Run, Scene } from "../shared/data";
import { decode } from "../shared/decode";
import { Motion, type Poses } from "../shared/motion";
import type { PlaneViewer } from "../shared/plane/view";
import { type Part, Store } from "../shared/store";
import { drawing } from "../shared/svg";
import type { Viewer } from "../shared/viewer";
import { keepPanes } from "../report/panes";
import { Background } from "./background";
import { showHistory } from "./buttons";
import { Comparison } from "./compare";
import { Connection, Lane } from "./connection";
import { Designer } from "./design";
import { EquilibriumList } from "./equilibria";
import type { Editor } from "./editor";
import type { Gallery } from "./gallery";
import { Guide } from "./guide";
import { Hand } from "./hand";
import { listen } from "./listen";
import { Panel } from "./help";
import type { Inspector } from "./inspector";
import { keys } from "./keys";
import type { Answer, Message, Pin, Request, State } from "./messages";
import type { Overlay } from "./overlay";
import { part } from "./page";
import { Player } from "./player";
import { firstCharts, offerAxes, showHeadline } from "./results";
import { Swing } from "./swing";
import { Selection } from "./selection";
import {
  openEditor,
  openEmpty,
  openGallery,
  openInspector,
  openOverlay,
  openViewer,
  showLayers,
  showModes,
  stageOf,
} from "./stage";
import { Release } from "./release";
import { Targets } from "./targets";
import { Rail } from "./toolbar";
import { Words } from "./words";

export class Studio {
  readonly clock = new Clock(0, 0);
  readonly store = new Store({ study: "charts", selected: null, hovered: null, charts: [], axis: null, units: {} });
  readonly connection: Connection;
  readonly hand: Hand;
  readonly overlay: Overlay;
  readonly editor: Editor;
  readonly player: Player;
  readonly rail: Rail;
  readonly selection = new Selection(this);
  readonly panel = new Panel(part("panel"));
  readonly design = new Designer(this);
  readonly former = new Comparison();
  readonly guide = new Guide(this, part("guide"));
  readonly swing = new Swing(this);
  readonly equilibria = new EquilibriumList(this);
  readonly release: Release;
  readonly targets: Targets;
  readonly background: Background;
  editing = true;
  viewer: Viewer | null = null;
  plane: PlaneViewer | null = null;
  inspector: Inspector;
  gallery: Gallery;
  words: Words;
  private slides: Lane;
  private stack: Stack | null = null;
  scene: Scene | null = null;
  run: Run | null = null;
  motion: Motion | null = null;
  pins: Pin[] = [];
  hinges: Record<string, string> = {}; // in space: the joint along which a link is dragged
  state: State | null = null;
  file = document.body.dataset.file ?? new URLSearchParams(location.search).get("file") ?? "";
  private chosen = false; // charts were chosen by the first whole answer
  private fitted = false;
  private peaked = false; // the instant of the largest reaction was shown

  constructor() {
    drawing(part("figure").querySelector<SVGSVGElement>("#drawing")!);
    document.documentElement.classList.add("live");
    keepPanes(part("stage"));
    this.connection = new Connection(this.opened, (words) => this.notice(words));
    this.connection.listen((message) => this.receive(message));
    this.slides = new Lane(this.connection);
    [this.release, this.targets] = [new Release(this), new Targets(this)];
    const find = (id: string): SVGSVGElement => document.querySelector<SVGSVGElement>(`#${id}`)!;
    this.overlay = openOverlay(this, find("grid"), find("overlay"));
    this.background = new Background(this, find("background"));
    this.hand = new Hand(this.connection, stageOf(this), this.overlay);
    this.editor = openEditor(this);
    this.player = new Player(this.clock, () => this.edit(false));
    this.rail = new Rail(part("rail"), (tool) => this.selection.chosen(tool));
    this.words = new Words(part("words"), {
      fix: () => this.send({ do: "fix" }),
      mend: (need) => this.tool(need.tool, need.with),
      release: () => this.release.begin(),
      reveal: (line) => this.editor.reveal(line),
    });
    this.inspector = openInspector(this, (request) => this.slides.ask(request));
    this.gallery = openGallery(this, this.go);
    listen(this);
    keys(this);
  }

  send(request: Request): void {
    if (!this.connection.send(request)) this.notice("The server does not answer: nothing was changed.");
  }

  undo = (): void => this.send({ do: "undo" });
  redo = (): void => this.send({ do: "redo" });

  // Edit or play: two states that are never mixed.
  edit(on: boolean): void {
    this.editing = on;
    if (!on) this.release?.end();
    if (on) this.clock.pause();
    if (on && Object.keys(this.hinges).length) this.player.go(this.clock.start); // a drag sets where the motion begins
    document.body.classList.toggle("playing", !on);
    part("edit").setAttribute("aria-checked", String(on));
    part("watch").setAttribute("aria-checked", String(!on));
    this.overlay.editing = on;
    this.redraw();
  }

  tool(name: string, given: Record<string, unknown>): void {
    const { decimals } = this.hand;
    this.send({ do: "tool", tool: name, with: given, t: this.clock.time, decimals });
  }

  choose(tab: string): void {
    for (const button of document.querySelectorAll<HTMLElement>("[data-tab]"))
      button.setAttribute("aria-selected", String(button.dataset.tab === tab));
    this.release.end();
    this.panel.hide(); // what it shows belongs to the tab that is left
    if (tab !== "statics") this.equilibria.clear();
    if (tab === "design") return this.design.open();
    this.chosen = false; // every study begins with charts of its own, and with nothing selected
    this.store.change({ selected: null });
    this.send({ do: "solve", tab });
  }

  private opened = (): void => {
    this.notice("");
    if (this.file) this.send({ do: "open", file: this.file });
    this.send({ do: "gallery" });
  };

  private go = (file: string): void => void (location.search = `?file=${encodeURIComponent(file)}`);

  private receive(message: Message): void {
    if (message.is === "files") {
      this.gallery.files(message.files);
      this.gallery.offer(message.linkages);
      this.selection.tools = message.tools;
      [this.editor.kinds, this.editor.vocabulary] = [message.kinds, message.vocabulary];
      if (!this.file && message.first) this.go(message.first);
      else if (!this.file) this.gallery.show(false);
    } else if (message.is === "gallery") this.gallery.load(message.examples);
    else if (message.is === "state") this.readState(message);
    else if (message.is === "answer") this.readAnswer(message);
    else if (message.is === "moved") this.hand.moved(message);
    else if (message.is === "modes" && this.scene) showModes(this, message);
    else if (message.is === "designs") this.design.show(message.designs);
    else if (message.is === "influence") this.design.showInfluence(message);
    else if (message.is === "frame") this.release.frame(message);
    else if (message.is === "equilibria") this.equilibria.show(message);
    else if (message.is === "refused") {
      if (message.gesture !== undefined || this.hand.busy) this.hand.refused(message.text, message.gesture);
      this.slides.answered();
      this.release.end();
      this.targets.refused();
      this.words.say(message.text.replace(/\n\s*/g, " "), true);
    }
  }

  private readState(state: State): void {
    if (this.file !== state.file) return this.go(state.file);
    this.state = state;
    part("file").textContent = state.saved ? state.file : `${state.file} (not written)`;
    document.title = `${state.file} – mubo studio`;
    this.editor.load(state.text);
    this.inspector.read(state.entries);
    showHistory(state);
    this.notice(state.notice);
    this.guide.look();
    document.body.dataset.version = String(state.version);
  }

  private readAnswer(answer: Answer): void {
    if (answer.preview) {
      const { gesture, number } = answer;
      if (answer.follows) this.targets.answered(answer);
      else if (gesture === undefined) this.slides.answered();
      else if (!this.hand.isNewest(gesture, number!)) return;
      if (answer.data && answer.moving) this.load(answer);
      if (!answer.brief) this.headline(answer);
      return;
    }
    if (this.hand.busy) return;
    this.release.end();
    const empty = answer.problems.some(({ text }) => text.endsWith("the model has no bodies"));
    this.editor.problems(empty ? [] : answer.problems); // nothing is wrong with a beginning
    this.words.show(answer, empty);
    this.overlay.culprits = answer.moving ? [] : answer.culprits;
    this.swing.load(answer);
    this.guide.look();
    if (answer.data) this.load(answer);
    else if (empty && !this.viewer) this.openEmpty();
    if (!answer.brief) this.headline(answer);
    Object.assign(part("table"), { hidden: !answer.words, textContent: answer.words });
    if (answer.tab === "statics" && !answer.brief && !answer.needs.length && answer.pins.length) this.equilibria.ask();
    part<HTMLButtonElement>("modes").disabled = !answer.moving;
    document.body.dataset.answered = `${answer.version}${answer.brief ? " brief" : ""}`;
    document.body.dataset.moving = String(answer.moving);
  }

  private load(answer: Answer): void {
    const found = decode((answer.data as any).run, (answer.data as any).scene);
    const { run, scene } = this.former.beside(found.scene, found.run);
    this.alone = found;
    [this.run, this.scene, this.motion] = [run, scene, new Motion(scene)];
    [this.hinges, this.pins] = [answer.hinges, this.hand.busy ? this.pins : answer.pins];
    this.overlay.pins = answer.pins;
    const before = this.clock.time;
    this.player.load(run, scene);
    this.viewer ? this.viewer.load(scene, this.motion, run) : openViewer(this, scene, this.motion, run);
    showLayers(this.viewer!);
    this.inspector.load(run);
    this.charts(run, scene, answer);
    const peak = !answer.brief && !this.peaked ? scene.forces?.largest : undefined; // forces open where they are largest
    this.peaked ||= peak !== undefined;
    this.clock.set(peak ?? before);
    this.selection.follow();
    if (!this.fitted) {
      this.viewer!.fit();
      this.fitted = answer.moving;
    }
  }

  private headline({ headline }: Answer): void {
    const select = (selected: Part | null): void => this.store.change({ selected });
    showHeadline(headline, (t) => this.player.go(t), select);
  }

  alone: { scene: Scene; run: Run } | null = null; // without the former design

  get tab(): string {
    const chosen = document.querySelector<HTMLElement>('[data-tab][aria-selected="true"]')?.dataset.tab;
    return chosen === "design" ? "motion" : (chosen ?? "motion");
  }

  fitAgain(): void {
    this.fitted = false;
  }

  // A grid to begin on.
  private openEmpty(): void {
    openEmpty(this);
    this.fitted = true; // the grid stays while links are drawn onto it
  }

  private charts(run: Run, scene: Scene, answer: Answer): void {
    if (this.stack) this.stack.load(run, scene);
    else this.stack = new Stack(part("plots"), part("whole"), run, scene, this.clock, this.store);
    if (answer.brief || !answer.moving || this.chosen) return;
    this.chosen = true;
    offerAxes(run);
    this.store.change({ charts: firstCharts(run), axis: run.axis });
  }

  private notice(text: string): void {
    Object.assign(part("notice"), { hidden: !text, textContent: text });
  }

  redraw(): void {
    if (this.motion && this.viewer && !this.hand?.busy) this.clock.set(this.clock.time);
    else if (this.plane) this.overlay.draw(this.poses);
  }
  poses: Poses = {};

  drawn(poses: Poses): void {
    this.poses = poses;
    this.background.draw();
    this.overlay.draw(poses);
    this.selection.bar();
  }
}

export function start(): void {
  (window as any).studio = new Studio();
}
