// Brings the page to life: connection, clock and store; the drawing, charts, text, facts and player; states and keys.
import { Stack } from "../shared/charts/stack";
import { savePng, saveSvg } from "../shared/charts/save";
import { Clock } from "../shared/clock";
import { decode, type Run, type Scene, type Vector } from "../shared/data";
import { Motion, place, type Poses } from "../shared/motion";
import { PlaneViewer } from "../shared/plane/view";
import { SpaceViewer } from "../shared/space/view";
import { type ChartSpec, type Part, readPart, Store } from "../shared/store";
import { drawing } from "../shared/svg";
import type { Edit, Layer, Viewer, Wishes } from "../shared/viewer";
import { keepPanes } from "../report/panes";
import { Connection, Lane } from "./connection";
import { Editor } from "./editor";
import { Gallery } from "./gallery";
import { Hand } from "./hand";
import { Panel } from "./help";
import { Inspector } from "./inspector";
import { keys } from "./keys";
import type { Answer, Fact, Message, Pin, Request, State } from "./messages";
import { Overlay } from "./overlay";
import { Player } from "./player";
import { actionsOf, Rail, showBar, type Tool } from "./toolbar";
import { Words } from "./words";

const PICK = 12; // pixels around a pin

export function part<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export class Studio {
  readonly clock = new Clock(0, 0);
  readonly store = new Store({ selected: null, hovered: null, charts: [], axis: null, units: {} });
  readonly connection: Connection;
  readonly hand: Hand;
  readonly overlay: Overlay;
  readonly editor: Editor;
  readonly player: Player;
  readonly rail: Rail;
  readonly panel = new Panel(part("panel"));
  editing = true;
  viewer: Viewer | null = null;
  private plane: PlaneViewer | null = null;
  private inspector: Inspector;
  private gallery: Gallery;
  private words: Words;
  private slides: Lane;
  private stack: Stack | null = null;
  private scene: Scene | null = null;
  private run: Run | null = null;
  private motion: Motion | null = null;
  private pins: Pin[] = [];
  private state: State | null = null;
  private file = new URLSearchParams(location.search).get("file") ?? "";
  private pressed: Vector | null = null;
  private from = ""; // the pin that a join or a spring begins at
  private chosen = false; // charts were chosen by the first whole answer
  private fitted = false;

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
    const typed = (body: string, ends: [string, string], text: string): void => this.setLength(body, ends, text);
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
    this.hand = new Hand(this.connection, this.stage(), this.overlay);
    this.editor = new Editor(
      part("text"),
      (text) => this.send({ do: "text", text: this.withEnds(text), version: this.state!.version }),
      {
        undo: () => this.undo(),
        redo: () => this.redo(),
        line: (line) => this.selectLine(line),
      },
    );
    this.player = new Player(this.clock, () => this.edit(false));
    this.rail = new Rail(part("rail"), (tool) => this.toolChosen(tool));
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

  undo(): void {
    this.send({ do: "undo" });
  }

  redo(): void {
    this.send({ do: "redo" });
  }

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

  remove(): void {
    const { selected } = this.store.state;
    if (selected) this.tool("delete", { kind: selected.kind, name: selected.name.split(".on_")[0] });
    this.store.change({ selected: null });
  }

  // Moves the selected part by lines of the grid, as a gesture of its own.
  nudge(dx: number, dy: number): void {
    const { selected } = this.store.state;
    const step = this.overlay.step();
    if (!selected || !this.editing) return;
    const snapping = this.hand.snapping;
    this.hand.snapping = false;
    const edit = this.hand.take(selected, [0, 0]);
    edit?.move([dx * step, dy * step]);
    edit?.end();
    this.hand.snapping = snapping;
  }

  private opened(): void {
    this.notice("");
    if (this.file) this.send({ do: "open", file: this.file });
    this.send({ do: "gallery" });
  }

  private go(file: string): void {
    location.search = `?file=${encodeURIComponent(file)}`;
  }

  private receive(message: Message): void {
    if (message.is === "files") {
      this.gallery.files(message.files);
      if (!this.file && message.first) this.go(message.first);
      else if (!this.file) this.gallery.show(false);
    } else if (message.is === "gallery") this.gallery.load(message.examples);
    else if (message.is === "state") this.readState(message);
    else if (message.is === "answer") this.readAnswer(message);
    else if (message.is === "moved") this.hand.moved(message);
    else if (message.is === "modes" && this.scene)
      this.panel.modes(message, this.scene, (number) => this.send({ do: "mode", number }));
    else if (message.is === "refused") this.refuse(message.text, message.gesture);
  }

  private refuse(text: string, gesture?: number): void {
    if (gesture !== undefined) this.hand.refused(text);
    this.slides.answered();
    this.words.say(text.replace(/\n\s*/g, " "), true);
  }

  private readState(state: State): void {
    if (this.file !== state.file) return this.go(state.file);
    this.state = state;
    part("file").textContent = state.saved ? state.file : `${state.file} (not written)`;
    document.title = `${state.file} – mubo studio`;
    this.editor.load(state.text);
    this.inspector.read(state.entries);
    const [undo, redo] = [part<HTMLButtonElement>("undo"), part<HTMLButtonElement>("redo")];
    [undo.disabled, redo.disabled] = [!state.undo, !state.redo];
    undo.title = state.undo ? `undo ${state.undo} (Ctrl-Z)` : "nothing to undo";
    redo.title = state.redo ? `redo ${state.redo} (Ctrl-Y)` : "nothing to redo";
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
    if (!answer.brief) this.headline(answer.headline);
    const table = part("table");
    table.hidden = !answer.words;
    table.textContent = answer.words;
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
    else this.open(scene, this.motion, run);
    this.layers();
    this.inspector.load(run);
    this.charts(run, scene, answer);
    this.clock.set(before);
    if (!this.fitted) {
      this.viewer!.fit();
      this.fitted = answer.moving;
    }
  }

  private open(scene: Scene, motion: Motion, run: Run): void {
    const wishes: Wishes = {
      select: (chosen) => this.click(chosen),
      hover: (over) => this.store.hover(over),
      go: (time) => this.player.go(time),
      now: () => this.clock.time,
      edit: (over, at) => this.press(over, at),
      drawn: (poses) => this.drawn(poses),
    };
    const figure = part("figure");
    if (scene.dimension === 3) {
      document.body.classList.add("space");
      figure.querySelector("canvas")!.hidden = false;
      this.viewer = new SpaceViewer(figure, scene, motion, run, wishes);
    } else {
      this.plane = new PlaneViewer(figure.querySelector<SVGSVGElement>("#drawing")!, scene, motion, run, wishes);
      this.viewer = this.plane;
    }
    this.edit(scene.dimension === 2 && this.editing);
  }

  // A grid to begin on.
  private openEmpty(): void {
    const corner = [
      [-100, -100],
      [400, 300],
    ] as [Vector, Vector];
    const none = {
      reaches: [],
      strokes: [],
      solids: [],
      lines: [],
      points: [],
      joints: [],
      texts: [],
      events: [],
      bodies: [],
    };
    const times = new Float64Array([0]);
    const units = { length: "mm", time: "s", angle: "deg" };
    const scene: Scene = {
      name: "",
      dimension: 2,
      units,
      size: 500,
      thick: 8,
      up: [0, 1],
      box: corner,
      framed: corner,
      forces: null,
      ...none,
      times,
      poses: {},
      rates: {},
    };
    const run: Run = { times, rows: times, columns: [], shown: [], axis: null };
    [this.scene, this.run, this.motion] = [scene, run, new Motion(scene)];
    this.open(scene, this.motion, run);
    this.player.load(run, scene);
    this.clock.set(0);
    this.fitted = true; // the grid stays while links are drawn onto it
  }

  private charts(run: Run, scene: Scene, answer: Answer): void {
    if (this.stack) this.stack.load(run, scene);
    else this.stack = new Stack(part("plots"), part("whole"), run, scene, this.clock, this.store);
    if (answer.brief || !answer.moving || this.chosen) return;
    this.chosen = true;
    this.axes(run);
    this.store.change({ charts: firstCharts(run), axis: run.axis });
  }

  private axes(run: Run): void {
    const select = part<HTMLSelectElement>("axis");
    const names = run.columns.map(({ name }) => name);
    const drivers = names.filter((name) => name.endsWith(".value"));
    select.replaceChildren(
      new Option("time", ""),
      ...[...drivers, ...names.filter((one) => !drivers.includes(one))].map((name) => new Option(name, name)),
    );
    select.value = run.axis ?? "";
  }

  private headline(facts: Fact[]): void {
    part("headline").replaceChildren(
      ...facts.map(({ label, text, t, part: of, judgement }) => {
        const [item, link] = [document.createElement("li"), document.createElement(t !== null || of ? "a" : "span")];
        if (link instanceof HTMLAnchorElement) link.href = "#";
        else link.className = "fact";
        if (judgement) link.dataset.judgement = judgement;
        link.append(Object.assign(document.createElement("small"), { textContent: label }));
        link.append(Object.assign(document.createElement("b"), { textContent: text }));
        link.addEventListener("click", (event) => {
          event.preventDefault();
          if (t !== null) this.player.go(t);
          if (of) this.store.change({ selected: readPart(of) });
        });
        item.append(link);
        return item;
      }),
    );
  }

  private notice(text: string): void {
    part("notice").hidden = !text;
    part("notice").textContent = text;
  }

  private stage(): ConstructorParameters<typeof Hand>[1] {
    return {
      scene: () => this.scene,
      run: () => this.run,
      pins: () => this.pins,
      time: () => this.clock.time,
      pixels: () => {
        if (!this.plane) return 1;
        return this.plane.pixel([1, 0]).x - this.plane.pixel([0, 0]).x;
      },
      show: (scene, motion) => {
        this.plane!.reshape(scene, motion);
        this.plane!.show(motion.at(this.clock.time), this.clock.time);
      },
      reset: () => this.motion && this.viewer?.load(this.scene!, this.motion, this.run!),
      restore: () => this.redraw(),
      say: (text, opens) => this.words.say(text, Boolean(opens) || /stops here|cannot/.test(text)),
      tool: (name, given) => this.tool(name, given),
    };
  }

  private redraw(): void {
    if (this.motion && this.viewer && !this.hand?.busy) this.clock.set(this.clock.time);
    else if (this.plane) this.overlay.draw(this.poses);
  }
  private poses: Poses = {};

  private drawn(poses: Poses): void {
    this.poses = poses;
    this.overlay.draw(poses);
    this.bar();
  }

  // The bar at the selection.
  private bar(): void {
    const { selected } = this.store.state;
    const root = part("bar-of-selection");
    if (!selected || !this.plane || !this.scene || !this.editing || this.hand.busy) return showBar(root, [], null);
    const at = this.where(selected);
    const actions = { tool: this.tool.bind(this), choose: this.begin.bind(this), rename: this.rename.bind(this) };
    showBar(root, actionsOf(selected, this.scene, this.pins, actions), at && this.plane.pixel(at));
  }

  private where({ kind, name }: Part): Vector | null {
    const places = this.overlay.places();
    if (kind === "body") {
      const own = places.filter(({ body }) => body === name).map(({ at }) => at);
      return own.length ? own.reduce((low, at) => (at[1] < low[1] ? at : low)) : null;
    }
    const pin = places.find(({ reference }) => reference === name);
    const joint = this.scene!.joints.find((one) => one.name === name.split(".on_")[0]);
    const point = this.scene!.points.find((one) => one.name === name);
    const found = kind === "point" ? point : joint;
    return pin?.at ?? (found ? place(this.poses, found.body, found.at) : null);
  }

  // A press on the drawing: what a drag from there does in the state and with the tool that are chosen.
  private press(over: Part | null, at: Vector): Edit | null {
    this.pressed = at;
    if (!this.editing || !this.plane) return null;
    if (this.rail.chosen === "link") return this.hand.link(at);
    if (this.rail.chosen !== "select") return null;
    const free =
      over?.kind === "joint" || (over?.kind === "point" && this.scene!.points.some(({ name }) => name === over.name))
        ? null
        : this.overlay.near(at, PICK);
    const target: Part | null = free ? { kind: "point", name: free.reference } : over;
    if (!target || target.kind === "force" || target.kind === "driver") return null;
    const own = this.where(target);
    return this.hand.take(target, target.kind === "body" || !own ? at : own);
  }

  private click(over: Part | null): void {
    const at = this.pressed;
    const tool = this.rail.chosen;
    const pin = at && this.plane ? this.overlay.near(at, PICK) : null;
    if (this.editing && at && (tool === "pin" || tool === "trace") && over?.kind === "body") {
      this.tool(tool, { body: over.name, at });
      return this.rail.choose("select");
    }
    if (this.editing && pin && (tool === "join" || tool === "spring")) {
      this.tool(tool, { first: this.from, second: pin.reference });
      return this.rail.choose("select");
    }
    const free = over?.kind !== "joint" && over?.kind !== "point" && pin && this.editing;
    this.store.select(free ? { kind: "point", name: pin!.reference } : over);
  }

  private begin(tool: Tool, from = ""): void {
    this.rail.choose(tool);
    this.from = from;
  }

  private toolChosen(tool: Tool): void {
    for (const one of ["select", "link", "pin", "trace", "join", "spring"])
      document.body.classList.toggle(`tool-${one}`, one === tool);
    const hints: Partial<Record<Tool, string>> = {
      link: "Drag from pin to pin, or over empty space.",
      pin: "Click a link where the pin shall be.",
      trace: "Click a link where its path shall be drawn.",
      join: "Click the pin to join.",
      spring: "Click the other end of the spring.",
    };
    this.words?.say(hints[tool] ?? "");
  }

  // Asks for another name in the bar itself.
  private rename(selected: Part): void {
    const root = part("bar-of-selection");
    const field = document.createElement("input");
    field.value = selected.name;
    field.setAttribute("aria-label", `new name of ${selected.name}`);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") {
        this.tool("rename", { kind: selected.kind, old: selected.name, new: field.value.trim() });
        this.store.change({ selected: null });
      }
      if (event.key === "Escape") root.dataset.words = "";
    });
    root.replaceChildren(field);
    field.focus();
    field.select();
  }

  private setLength(body: string, ends: [string, string], text: string): void {
    const number = Number.parseFloat(text.replace("−", "-"));
    if (Number.isFinite(number)) this.tool("length", { body, ends, length: number });
  }

  // A line of the text selects the part whose table it is in.
  private selectLine(line: number): void {
    const before = (this.state?.entries ?? []).filter(([path, , at]) => at <= line && path.length > 1);
    const last = before[before.length - 1];
    if (!last) return;
    const [kind, name] = last[0].map(String);
    if (name !== "ground" && ["body", "joint", "point"].includes(kind))
      this.store.change({ selected: { kind: kind as Part["kind"], name } });
  }

  private withEnds(text: string): string {
    return this.state?.text.includes("\r\n") ? text.replace(/\n/g, "\r\n") : text;
  }

  private layers(): void {
    for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
      button.hidden = !this.viewer!.layers.includes(button.dataset.layer as Layer);
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
    const click = (id: string, act: () => void): void => part(id).addEventListener("click", act);
    click("edit", () => this.edit(true));
    click("watch", () => this.edit(false));
    click("undo", () => this.undo());
    click("redo", () => this.redo());
    click("files", () => this.gallery.show(true));
    click("help", () => (this.panel.open ? this.panel.hide() : this.panel.help()));
    click("modes", () => this.send({ do: "modes" }));
    click("nearer", () => this.viewer?.zoom(1.4));
    click("farther", () => this.viewer?.zoom(1 / 1.4));
    click("fit", () => this.viewer?.fit());
    click("save-svg", () => this.plane && saveSvg(this.plane.picture(), this.file.replace(/\W+/g, "_")));
    click("save-png", () => this.plane && savePng(this.plane.picture(), this.file.replace(/\W+/g, "_")));
    click("snap", () => {
      this.hand.snapping = !this.hand.snapping;
      part("snap").setAttribute("aria-pressed", String(this.hand.snapping));
    });
    part("axis").addEventListener("change", (event) =>
      this.store.change({ axis: (event.target as HTMLSelectElement).value || null }),
    );
    for (const button of document.querySelectorAll<HTMLElement>("[data-tab]"))
      button.addEventListener("click", () => this.choose(button.dataset.tab!));
    for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        this.viewer?.turn(button.dataset.layer as Layer, on);
      });
    for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-export]"))
      link.href = `export/${encodeURIComponent(this.file)}?kind=${link.dataset.export}`;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.viewer?.recolour());
  }
}

// Columns that share a chart by their group.
function firstCharts(run: Run): ChartSpec[] {
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const groups = new Map<string, string[]>();
  for (const name of run.shown) {
    const column = known.get(name);
    if (column) groups.set(column.group, [...(groups.get(column.group) ?? []), name]);
  }
  return [...groups.values()].map((columns) => ({ columns, over: null }));
}

export function start(): void {
  (window as any).studio = new Studio();
}
