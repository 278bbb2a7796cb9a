// Brings the page to life: connection, clock and store; the drawing, charts, text, facts and player; states and keys.
import { Stack } from "../shared/charts/stack";
import { Clock } from "../shared/clock";
import type { Run, Scene } from "../shared/data";
import { decode } from "../shared/decode";
import { Motion, type Poses } from "../shared/motion";
import type { PlaneViewer } from "../shared/plane/view";
import { type Part, Store } from "../shared/store";
import { drawing } from "../shared/svg";
import type { Layer, Viewer } from "../shared/viewer";
import { keepPanes } from "../report/panes";
import { connectButtons, showHistory } from "./buttons";
import { Connection, Lane } from "./connection";
import { Editor } from "./editor";
import { Gallery } from "./gallery";
import { Hand } from "./hand";
import { Panel } from "./help";
import { Inspector } from "./inspector";
import { keys } from "./keys";
import type { Answer, Message, Pin, Request, State } from "./messages";
import { Overlay } from "./overlay";
import { part } from "./page";
import { Player } from "./player";
import { emptyScene, firstCharts, offerAxes, showHeadline } from "./results";
import { Selection } from "./selection";
import { openViewer, stageOf } from "./stage";
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
  editing = true;
  viewer: Viewer | null = null;
  plane: PlaneViewer | null = null;
  private inspector: Inspector;
  gallery: Gallery;
  words: Words;
  private slides: Lane;
  private stack: Stack | null = null;
  scene: Scene | null = null;
  run: Run | null = null;
  motion: Motion | null = null;
  pins: Pin[] = [];
  state: State | null = null;
  file = new URLSearchParams(location.search).get("file") ?? "";
  private chosen = false; // charts were chosen by the first whole answer
  private fitted = false;
  private peaked = false; // the instant of the largest reaction was shown

  constructor() {
    drawing(part("figure").querySelector<SVGSVGElement>("#drawing")!);
    document.documentElement.classList.add("live");
    keepPanes(part("stage"));
    this.connection = new Connection(
      () => this.opened(),
      () => this.notice("The server does not answer: this page connects again by itself. Nothing is lost."),
    );
    this.connection.listen((message) => this.receive(message));
    this.slides = new Lane(this.connection);
    const find = (id: string): SVGSVGElement => document.querySelector<SVGSVGElement>(`#${id}`)!;
    const typed = (body: string, ends: [string, string], text: string): void =>
      this.selection.setLength(body, ends, text);
    const selected = (): Part | null => this.store.state.selected;
    this.overlay = new Overlay(
      find("grid"),
      find("overlay"),
      part("lengths"),
      () => this.plane,
      () => this.scene,
      selected,
      typed,
    );
    this.hand = new Hand(this.connection, stageOf(this), this.overlay);
    this.editor = new Editor(
      part("text"),
      (text) =>
        this.send({
          do: "text",
          text: this.state!.text.includes("\r\n") ? text.replace(/\n/g, "\r\n") : text,
          version: this.state!.version,
        }),
      {
        undo: () => this.undo(),
        redo: () => this.redo(),
        line: (line) => this.selection.line(line),
      },
    );
    this.player = new Player(this.clock, () => this.edit(false));
    this.rail = new Rail(part("rail"), (tool) => this.selection.chosen(tool));
    this.words = new Words(part("words"), {
      fix: () => this.send({ do: "fix" }),
      masses: () => this.tool("masses", { bodies: [] }),
      reveal: (line) => this.editor.reveal(line),
    });
    this.inspector = new Inspector(
      part("values"),
      part("parameters"),
      part("columns"),
      part("search"),
      this.clock,
      this.store,
      {
        set: (path, literal) => this.send({ do: "set", path, literal }),
        slide: (path, literal) => this.slides.ask({ do: "slide", path, literal }),
        reveal: (line) => this.editor.reveal(line),
      },
    );
    this.gallery = new Gallery(part("gallery"), {
      open: (file) => this.go(file),
      example: (name) => this.send({ do: "example", name }),
      create: () => this.send({ do: "new", name: "mechanism" }),
    });
    this.listen();
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
    if (on) this.clock.pause();
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
    this.chosen = false; // every study begins with charts of its own
    this.send({ do: "solve", tab });
  }

  private opened(): void {
    this.notice("");
    if (this.file) this.send({ do: "open", file: this.file });
    this.send({ do: "gallery" });
  }

  private go = (file: string): void => void (location.search = `?file=${encodeURIComponent(file)}`);

  private receive(message: Message): void {
    if (message.is === "files") {
      this.gallery.files(message.files);
      this.editor.kinds = message.kinds;
      if (!this.file && message.first) this.go(message.first);
      else if (!this.file) this.gallery.show(false);
    } else if (message.is === "gallery") this.gallery.load(message.examples);
    else if (message.is === "state") this.readState(message);
    else if (message.is === "answer") this.readAnswer(message);
    else if (message.is === "moved") this.hand.moved(message);
    else if (message.is === "modes" && this.scene)
      this.panel.modes(message, this.scene, (number) => this.send({ do: "mode", number }));
    else if (message.is === "refused") {
      if (message.gesture !== undefined) this.hand.refused(message.text);
      this.slides.answered();
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
    document.body.dataset.version = String(state.version);
  }

  private readAnswer(answer: Answer): void {
    if (answer.preview) {
      this.slides.answered();
      if (answer.data && answer.moving) this.load(answer);
      return;
    }
    if (this.hand.busy) return;
    this.editor.problems(answer.problems);
    const empty = answer.problems.some(({ text }) => text.endsWith("the model has no bodies"));
    this.words.show(answer, empty);
    if (answer.data) this.load(answer);
    else if (empty && !this.viewer) this.openEmpty();
    if (!answer.brief)
      showHeadline(
        answer.headline,
        (t) => this.player.go(t),
        (selected) => this.store.change({ selected }),
      );
    Object.assign(part("table"), { hidden: !answer.words, textContent: answer.words });
    part<HTMLButtonElement>("modes").disabled = !answer.moving;
    document.body.dataset.answered = `${answer.version}${answer.brief ? " brief" : ""}`;
    document.body.dataset.moving = String(answer.moving);
  }

  private load(answer: Answer): void {
    const { run, scene } = decode((answer.data as any).run, (answer.data as any).scene);
    [this.run, this.scene, this.motion] = [run, scene, new Motion(scene)];
    if (!this.hand.busy) this.pins = answer.pins;
    this.overlay.pins = answer.pins;
    const before = this.clock.time;
    this.player.load(run, scene);
    if (this.viewer) this.viewer.load(scene, this.motion, run);
    else openViewer(this, scene, this.motion, run);
    for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
      button.hidden = !this.viewer!.layers.includes(button.dataset.layer as Layer);
    this.inspector.load(run);
    this.charts(run, scene, answer);
    const peak = !answer.brief && !this.peaked ? scene.forces?.largest : undefined; // forces open where they are largest
    this.peaked ||= peak !== undefined;
    this.clock.set(peak ?? before);
    if (!this.fitted) {
      this.viewer!.fit();
      this.fitted = answer.moving;
    }
  }

  // A grid to begin on.
  private openEmpty(): void {
    const { scene, run } = emptyScene();
    [this.scene, this.run, this.motion] = [scene, run, new Motion(scene)];
    openViewer(this, scene, this.motion, run);
    this.player.load(run, scene);
    this.clock.set(0);
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
    this.overlay.draw(poses);
    this.selection.bar();
  }

  private listen(): void {
    this.clock.listen(() => {
      if (!this.motion || !this.viewer || this.hand.busy) return;
      this.viewer.show(this.motion.at(this.clock.time), this.clock.time);
      part("figure").dataset.time = String(this.clock.time);
    });
    this.store.listen(({ selected, hovered }, before) => {
      if (selected === before.selected && hovered === before.hovered) return;
      const seen = (one: Part | null): Part | null => (one?.kind === "point" && one.name.includes(".") ? null : one);
      this.viewer?.light(seen(selected), seen(hovered));
      if (selected !== before.selected) {
        const line = selected && this.inspector.lineOf(selected);
        if (line) this.editor.reveal(line);
        this.redraw();
      }
    });
    connectButtons(this);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.viewer?.recolour());
  }
}

export function start(): void {
  (window as any).studio = new Studio();
}
