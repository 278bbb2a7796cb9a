// A hand that edits: it drags pins, points and links, draws links, and snaps to pins, alignments and the grid. One gesture is
// one entry of the history; the server is asked for the newest place alone.
import type { Run, Scene, Vector } from "../shared/data";
import { Motion } from "../shared/motion";
import type { Part } from "../shared/store";
import type { Edit } from "../shared/viewer";
import { type Connection, Lane } from "./connection";
import { Locks } from "./locks";
import { doubles, type Moved, type Pin } from "./messages";
import { NO_SKETCH, type Overlay } from "./overlay";
import { loaded, moving, warped } from "./warp";

const REST = 150; // milliseconds without a move after which whole results are asked for
const [NEAR, ALIGN, GRID] = [12, 6, 5]; // pixels of snapping: to pins, to their alignments, to the grid

export interface Stage {
  scene(): Scene | null;
  run(): Run | null;
  pins(): Pin[];
  time(): number;
  pixels(): number; // per length of the drawing
  show(scene: Scene, motion: Motion, run?: Run): void; // a motion under the hand; with a run, its forces
  reset(): void; // the mechanism as it was before the gesture
  restore(): void; // the same, with another sketch
  freed(): void; // the hand is free again: answers that came meanwhile may be shown
  say(text: string, opens: string): void;
  tool(name: string, given: Record<string, unknown>): void;
}

export class Hand {
  snapping = true;
  readonly locks = new Locks();
  private gesture = Date.now() % 1e9;
  private number = 0;
  private lane: Lane;
  private base: { scene: Scene; pins: Pin[] } | null = null;
  private resting = 0;
  private dropping: (() => void) | null = null;
  updates: number[] = []; // milliseconds from a move to its picture, of the last gesture
  private asked = new Map<number, number>();

  constructor(
    private connection: Connection,
    private stage: Stage,
    private overlay: Overlay,
  ) {
    this.lane = new Lane(connection);
    connection.broken.push(() => this.busy && this.giveUp("The connection broke: the drag is taken back."));
  }

  get busy(): boolean {
    return this.base !== null;
  }

  // Whether an answer is about the newest place of the hand; late ones are dropped.
  isNewest(gesture: number, number: number): boolean {
    return this.busy && gesture === this.gesture && number === this.number - 1;
  }

  // How many decimals a number needs that is right to a quarter of a pixel.
  get decimals(): number {
    return Math.min(Math.max(Math.ceil(Math.log10(4 * this.stage.pixels())), 0), 9);
  }

  // Drags a part from a place.
  take(part: Part, from: Vector): Edit | null {
    const scene = this.stage.scene();
    if (!scene || this.busy) return null;
    this.begin(scene);
    const start = this.anchor(part) ?? from;
    const own = this.together(part, start);
    let joined = ["", ""];
    let moved = false;
    return {
      move: (to) => {
        if (!this.busy) return; // the gesture was refused, or the connection broke
        moved = true;
        const wanted = [start[0] + to[0] - from[0], start[1] + to[1] - from[1]];
        const { at, join } = this.snap(wanted, own, part.kind !== "body");
        joined = join && part.kind !== "body" ? [[...own][0] ?? "", join] : ["", ""];
        this.ask(part, [at[0] - start[0], at[1] - start[1]]);
      },
      end: () => this.end(moved, joined[0] && joined[1] ? joined : ["", ""]),
    };
  }

  // Drags a link in space along its joint; the hand moves across the direction of sight.
  turn(body: string, grip: Vector, eye: Vector): Edit | null {
    const scene = this.stage.scene();
    if (!scene || this.busy) return null;
    this.begin(scene);
    let moved = false;
    return {
      move: (to) => {
        if (!this.busy) return;
        moved = true;
        const shift = to.map((x, k) => x - grip[k]);
        this.ask({ kind: "body", name: body }, shift, { grip, eye });
      },
      end: () => this.end(moved, ["", ""]),
    };
  }

  private begin(scene: Scene): void {
    this.gesture++;
    this.base = { scene, pins: this.stage.pins() };
    this.updates = [];
  }

  // The button is up: what was dragged is written, after the answer that is under way.
  private end(moved: boolean, join: string[]): void {
    clearTimeout(this.resting);
    if (!this.busy) return;
    const drop = (): void => {
      this.base = null;
      this.dropping = null;
      this.overlay.sketch = NO_SKETCH;
      if (moved) this.connection.send({ do: "drop", gesture: this.gesture, join });
      this.stage.freed();
    };
    if (this.lane.waiting) this.dropping = drop;
    else drop();
  }

  // Draws a link from a place, or from a pin that is there.
  link(from: Vector): Edit {
    const first = this.overlay.near(from, NEAR);
    const start = first ? first.at : this.snap(from, new Set(), true).at;
    let end = start;
    let last: string | null = null;
    return {
      move: (to) => {
        const { at, join } = this.snap(to, new Set(first ? [first.reference] : []), true);
        [end, last] = [at, join];
        this.overlay.sketch = { ...this.overlay.sketch, link: [start, end] };
        this.stage.restore();
      },
      end: () => {
        this.overlay.sketch = NO_SKETCH;
        this.stage.restore();
        const long = Math.hypot(end[0] - start[0], end[1] - start[1]) * this.stage.pixels();
        if (long < NEAR) return;
        this.stage.tool("link", { start, end, on: [first?.reference ?? "", last ?? ""] });
      },
    };
  }

  // Draws a line, and gives its places.
  draw(from: Vector, done: (line: Vector[]) => void): Edit {
    const line = [from];
    const near = 3 / this.stage.pixels();
    return {
      move: (to) => {
        const last = line[line.length - 1];
        if (Math.hypot(to[0] - last[0], to[1] - last[1]) > near) line.push(to);
        this.overlay.sketch = { ...this.overlay.sketch, line };
        this.stage.restore();
      },
      end: () => {
        this.overlay.sketch = NO_SKETCH;
        if (line.length > 2) done(line);
        this.stage.restore();
      },
    };
  }

  // The answer to a move: the newest motion is shown.
  moved(message: Moved): void {
    this.lane.answered(); // the server works at the next place while this one is drawn
    if (message.gesture === this.gesture && this.base) this.display(message);
    if (this.dropping && !this.lane.waiting) this.dropping();
  }

  // The server refused the gesture: the mechanism stays as it was.
  refused(text: string, gesture = this.gesture): void {
    this.lane.answered();
    if (gesture === this.gesture) this.giveUp(text);
  }

  // Takes the gesture back.
  cancel(): void {
    this.connection.send({ do: "cancel", gesture: this.gesture });
    this.giveUp("");
  }

  private giveUp(text: string): void {
    clearTimeout(this.resting);
    [this.base, this.dropping, this.overlay.sketch] = [null, null, NO_SKETCH];
    this.stage.reset();
    this.stage.restore();
    this.stage.say(text, "");
    this.stage.freed();
  }

  private display(message: Moved): void {
    const { scene, pins } = this.base!;
    if (!message.possible) {
      const opens = /^joint (\S+) opens/.exec(message.message)?.[1] ?? "";
      this.overlay.sketch = { ...this.overlay.sketch, opens };
      this.stage.say(message.message, opens);
      this.stage.restore();
      return;
    }
    this.overlay.sketch = { ...this.overlay.sketch, opens: "" };
    const shape = warped(scene, pins, message.points ?? {});
    const poses = message.poses && Object.fromEntries(Object.entries(message.poses).map(([k, v]) => [k, doubles(v)]));
    const drawn = poses ? moving(shape, doubles(message.times!), poses) : shape;
    this.overlay.pins = pins.map(([name, body, at]) => [name, body, message.points?.[name] ?? at]);
    const run = this.stage.run();
    const acting = message.forces && run ? loaded(drawn, { scene: shape, run }, message.forces) : null;
    this.stage.show(acting?.scene ?? drawn, new Motion(acting?.scene ?? drawn), acting?.run);
    this.stage.say(message.message, "");
    const asked = this.asked.get(message.number);
    if (asked !== undefined) this.updates.push(performance.now() - asked);
    this.asked.delete(message.number);
    clearTimeout(this.resting);
    const { gesture } = this;
    const { number } = message;
    if (this.isNewest(gesture, number))
      this.resting = window.setTimeout(() => this.connection.send({ do: "rest", gesture, number }), REST);
  }

  private ask(part: Part, shift: Vector, more: { grip?: Vector; eye?: Vector } = {}): void {
    const { gesture, decimals } = this;
    const number = this.number++;
    clearTimeout(this.resting); // the hand does not rest
    this.asked.set(number, performance.now());
    const t = this.stage.time();
    const locks = this.locks.all;
    const what = { kind: part.kind, name: part.name, t, shift, decimals, locks, ...more };
    this.lane.ask({ do: "drag", gesture, number, ...what });
  }

  private anchor(part: Part): Vector | null {
    const places = this.overlay.places();
    if (part.kind === "point" && part.name.includes("."))
      return places.find(({ reference }) => reference === part.name)?.at ?? null;
    return null;
  }

  // The pins that move with a part: those at the same place, or those of the link.
  private together(part: Part, at: Vector): Set<string> {
    const near = 3 / this.stage.pixels();
    const places = this.overlay.places();
    const own = places.filter(({ body, at: here }) =>
      part.kind === "body" ? body === part.name : Math.hypot(here[0] - at[0], here[1] - at[1]) < 4 * near,
    );
    return new Set(own.map(({ reference }) => reference));
  }

  // A place drawn to pins, to lines through them, or to the grid; with the lines that show why.
  private snap(at: Vector, own: Set<string>, joins: boolean): { at: Vector; join: string | null } {
    const pixel = 1 / this.stage.pixels();
    const sketch = { ...this.overlay.sketch, guides: [] as [Vector, Vector][], target: null as Vector | null };
    this.overlay.sketch = sketch;
    if (!this.snapping) return { at, join: null };
    const target = joins ? this.overlay.near(at, NEAR, own) : null;
    if (target) {
      sketch.target = target.at;
      return { at: target.at, join: target.reference };
    }
    const out = [...at];
    const others = this.overlay.places().filter(({ reference }) => !own.has(reference));
    const step = this.overlay.step();
    const gridded: number[] = [];
    for (const axis of [0, 1]) {
      const line = others.find((other) => Math.abs(other.at[axis] - at[axis]) < ALIGN * pixel);
      const round = Math.round(at[axis] / step) * step;
      if (line) {
        out[axis] = line.at[axis];
        sketch.guides.push([line.at, out]);
      } else if (Math.abs(round - at[axis]) < GRID * pixel) {
        out[axis] = round;
        gridded.push(axis);
      }
    }
    // a piece of the line of the grid, one step to both sides
    for (const axis of gridded) sketch.guides.push([beside(out, 1 - axis, -step), beside(out, 1 - axis, step)]);
    return { at: out, join: null };
  }
}

function beside(at: Vector, axis: number, far: number): Vector {
  return at.map((x, k) => (k === axis ? x + far : x));
}
