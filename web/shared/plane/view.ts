// The mechanism in the plane, as a drawing that can be moved and enlarged, and whose parts can be taken.
import { Arrows } from "../arrows";
import type { Run, Scene } from "../data";
import { Travel } from "../follow";
import { ForceLegend, ForceValues, seenArrows } from "../forces";
import { handle } from "../gestures";
import { type Motion, place, type Poses } from "../motion";
import { bodiesOf, heldPlace, pickDrawn, Scrubber } from "../picking";
import { drawScale } from "../scale";
import type { Part } from "../store";
import { change, make } from "../svg";
import { FIRST_LAYERS, type Edit, type Layer, type Placed, type Viewer, type Wishes } from "../viewer";
import { Centres } from "./centres";
import { Marks, Names, Ring } from "./names";
import { ghosts, layersOf, OtherRun } from "./other";
import { Strokes } from "./strokes";
import { Traces } from "./traces";
import { Utilisation } from "./use";
import { Walk } from "./walk";

const [MARGIN, VALUES, TOOLS] = [36, 24, 56]; // pixels around for names, for values of forces, on the right for buttons
const [FOOT, LEGEND] = [26, 230]; // pixels of the scale at the foot, and as wide as the longest legend there

export class PlaneViewer implements Viewer {
  layers: readonly Layer[] = [];
  left = 0; // pixels on the left that tools cover
  private root!: SVGGElement;
  private past!: SVGGElement;
  private strokes!: Strokes;
  private traces!: Traces;
  private centres!: Centres;
  private other: OtherRun | null = null;
  private arrows!: Record<"velocity" | "acceleration", Arrows>;
  private legend!: ForceLegend;
  private values!: ForceValues;
  private used!: Utilisation;
  private walk: Walk | null = null;
  private travel!: Travel;
  private ahead: [number, number] = [0, 0]; // the middle of the view, from what is followed
  private names!: Names;
  private marks!: Marks;
  private ring!: Ring;
  wide = 0; // pixels of the drawing
  high = 0;
  private fitted = 1; // pixels per length when all is seen
  scale = 1; // pixels per length
  private middle: [number, number] = [0, 0];
  private shown: { poses: Poses; time: number } | null = null;
  private selected: Part | null = null;
  private hovered: Part | null = null;
  private on: Record<Layer, boolean> = { ...FIRST_LAYERS };
  private growing = false;
  private others: Poses[] = []; // behind the mechanism
  private editing: Edit | null = null;

  constructor(
    private svg: SVGSVGElement,
    private scene: Scene,
    private motion: Motion,
    private run: Run,
    private wishes: Wishes,
  ) {
    this.measure();
    new ResizeObserver(() => this.measure()).observe(svg.parentElement!);
    handle(svg, {
      pick: (at) => this.pick(at),
      hover: (part) => wishes.hover(part),
      click: (part) => wishes.select(part),
      grab: (part, at) => this.grab(part, at),
      release: () => {
        this.editing?.end();
        this.editing = null;
      },
      pan: (dx, dy) => this.pan(dx, dy),
      zoom: (factor, at) => this.zoom(factor, at),
    });
  }

  load(scene: Scene, motion: Motion, run: Run): void {
    [this.scene, this.motion, this.run] = [scene, motion, run];
    this.build();
    this.look();
  }

  // The same parts with other points and another motion, as a hand changes them; forces are shown where a run has them.
  reshape(scene: Scene, motion: Motion, run?: Run): void {
    [this.scene, this.motion] = [scene, motion];
    this.strokes.reshape(scene, motion);
    this.traces.load(scene, motion);
    this.names.reshape(scene);
    this.marks.reshape(scene);
    if (run) this.values.load(scene, run, motion);
    if (run) this.strokes.seen = seenArrows(scene, run, this.selected);
  }

  // Further positions, drawn behind.
  standBehind(positions: Poses[]): void {
    this.others = positions;
    this.apply();
  }

  show(poses: Poses, time: number): void {
    this.shown = { poses, time };
    const [x, y] = this.followed;
    this.middle = [x + this.ahead[0], y + this.ahead[1]];
    if (this.travel.on) this.stand();
    this.legend.on = this.on.forces && !(this.walk && !this.selected);
    this.legend.show(this.scale, this.wide);
    this.strokes.move(poses, time);
    this.other?.show(time);
    this.traces.show(time);
    Object.values(this.arrows).forEach((arrows, k) => {
      const corner = { x: 14, y: this.high - 44 - 20 * k };
      arrows.show(
        time,
        (body, at) => place(poses, body, at),
        (at) => this.pixel(at),
        this.scale,
        corner,
      );
    });
    this.marks.show(poses, (at) => this.pixel(at));
    this.centres.show(poses, time, this.selected, (at) => this.pixel(at));
    const kept = [[0, this.high - FOOT - this.used.height, LEGEND, this.high], this.legend.box]; // of the legends
    this.values.show(poses, time, this.strokes.seen, (at) => this.pixel(at), this.wide - TOOLS, kept);
    this.used.show(poses, time, (at) => this.pixel(at), this.high);
    this.walk?.show(time, (at) => this.pixel(at), this.scale, this.wide);
    this.ring.show(this.scene, poses, this.hovered ?? this.selected, (at) => this.pixel(at));
    kept.push(...this.values.boxes);
    this.names.show(poses, (at) => this.pixel(at), this.scale, this.wide - TOOLS, this.high, kept);
    this.wishes.drawn?.(poses);
  }

  private again(): void {
    if (this.shown) this.show(this.shown.poses, this.shown.time);
  }

  private get followed(): number[] {
    return this.travel.followed(this.shown?.poses ?? this.motion.at(this.motion.start)) ?? [0, 0];
  }

  private aim(x: number, y: number): void {
    const [a, b] = this.followed;
    this.middle = [x, y];
    this.ahead = [x - a, y - b];
  }

  zoom(factor: number, at?: Placed): void {
    const scale = Math.min(Math.max(this.scale * factor, 0.2 * this.fitted), 200 * this.fitted);
    const fixed = at ?? { x: this.wide / 2, y: this.high / 2 };
    const [x, y] = this.world(fixed);
    this.scale = scale;
    this.aim(x - (fixed.x - this.wide / 2) / scale, y + (fixed.y - this.high / 2) / scale);
    this.look();
  }

  pan(dx: number, dy: number): void {
    this.aim(this.middle[0] - dx / this.scale, this.middle[1] + dy / this.scale);
    this.look();
  }

  fit(): void {
    this.resized();
    const goes = this.travel.on && this.travel.far;
    const [low, high] = goes ? this.travel.box : this.scene.framed;
    const [dx, dy] = [high[0] - low[0] || 1e-9, high[1] - low[1] || 1e-9];
    const values = this.scene.forces && this.on.forces && !this.walk ? VALUES : 0;
    const room = Math.min(MARGIN + values, 0.12 * this.wide);
    const wide = this.wide - TOOLS - this.left;
    const [above, below] = [Math.min(this.legend.height, 0.25 * this.high), this.used.height]; // of the legends
    const tall = this.high - 2 * MARGIN - above - below;
    this.fitted = Math.min((wide - 2 * room) / dx, tall / dy, wide / (goes ? dx : 0.3 * this.scene.size));
    this.scale = this.fitted;
    const [aside, up] = [(TOOLS - this.left) / 2 / this.scale, (above - below) / 2 / this.scale];
    const [x, y] = this.followed;
    this.aim(x + (low[0] + high[0]) / 2 + aside, y + (low[1] + high[1]) / 2 + up);
    this.look();
  }

  turn(layer: Layer, on: boolean): void {
    this.on[layer] = on;
    this.apply();
    if (layer === "follow" && this.travel.far) this.fit();
    else this.again();
  }

  grow(on: boolean): void {
    this.traces.growing = this.growing = on;
    if (this.shown) this.traces.show(this.shown.time);
  }

  light(selected: Part | null, hovered: Part | null): void {
    [this.selected, this.hovered] = [selected, hovered];
    const part = hovered ?? selected;
    this.strokes.light(part && new Set(bodiesOf(this.scene, part)));
    this.strokes.seen = this.scene.forces ? seenArrows(this.scene, this.run, selected) : null;
    this.again();
  }

  recolour(): void {} // the style sheet does it

  pictures(): [SVGSVGElement] {
    return [this.svg];
  }

  private pick(at: Placed): Part | null {
    return this.shown && pickDrawn(this.svg, this.scene, this.shown.poses, (point) => this.pixel(point), at);
  }

  // Dragging a part that moves goes through time along its path.
  private grab(part: Part | null, at: Placed): ((to: Placed) => void) | null {
    this.editing = this.wishes.edit?.(part, this.world(at)) ?? null;
    if (this.editing) return (to) => this.editing?.move(this.world(to));
    if (!part || !this.shown) return null;
    const held = heldPlace(this.scene, this.shown.poses, part, this.world(at));
    if (!held) return null;
    const scrubber = new Scrubber(this.motion, held.body, held.at, (point) => this.pixel(point));
    return (to) => this.wishes.go(scrubber.time(to, this.wishes.now()));
  }

  private measure(): void {
    const first = this.wide === 0;
    if (!this.resized()) return;
    if (first) this.build();
    if (first || this.scale === this.fitted) this.fit();
    else this.look();
  }

  // Takes the size of its place; answers whether that is another one.
  private resized(): boolean {
    const { width, height } = this.svg.getBoundingClientRect();
    const same = Math.abs(width - this.wide) < 1 && Math.abs(height - this.high) < 1;
    if (Math.min(width, height) < 10 || same) return false;
    [this.wide, this.high] = [width, height];
    change(this.svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    return true;
  }

  private build(): void {
    const { scene, motion, run, svg } = this;
    svg.replaceChildren();
    this.travel = new Travel(scene, motion);
    this.root = make("g", {}, svg);
    this.past = make("g", { class: "ghosts" }, this.root);
    this.other = scene.other ? new OtherRun(make("g", {}, this.root), scene) : null;
    this.strokes = new Strokes(this.root, scene, motion);
    this.traces = new Traces(this.strokes.paths, scene, motion);
    this.traces.growing = this.growing;
    this.centres = new Centres(make("g", {}, svg), make("g", {}, this.root), scene, run, motion);
    const arrows = (quantity: "v" | "a"): Arrows => new Arrows(make("g", {}, svg), scene, run, quantity);
    this.arrows = { velocity: arrows("v"), acceleration: arrows("a") };
    this.ring = new Ring(svg);
    this.legend = new ForceLegend(svg, scene);
    this.values = new ForceValues(make("g", {}, svg), scene, run, motion);
    this.used = new Utilisation(svg, scene, run, this.strokes);
    this.walk = scene.walk ? new Walk(svg, scene, run) : null;
    this.marks = new Marks(svg, scene);
    this.names = new Names(make("g", { class: "labels" }, svg), scene, this.strokes);
    this.layers = layersOf(scene, { ...this.arrows, centres: this.centres, used: this.used }, this.travel.far);
    this.apply();
    this.light(this.selected, this.hovered);
  }

  private apply(): void {
    this.names.on = this.on.names;
    this.strokes.paths.style.display = this.on.paths ? "" : "none";
    if (this.shown) this.traces.show(this.shown.time);
    this.strokes.forces = this.values.on = this.on.forces;
    this.centres.on = this.on.centres;
    this.other?.turn(this.on.other);
    this.used.on = this.on.used;
    this.travel.on = this.on.follow;
    if (this.walk) this.walk.on = this.on.forces;
    for (const layer of ["velocity", "acceleration"] as const) this.arrows[layer].on = this.on[layer];
    this.strokes.ghosts(this.past, [...ghosts(this.scene, this.motion, this.on.ghosts), ...this.others]);
  }

  private stand(): void {
    const k = this.scale;
    const [x, y] = this.middle;
    change(this.root, { transform: `matrix(${k} 0 0 ${-k} ${this.wide / 2 - k * x} ${this.high / 2 + k * y})` });
  }

  private look(): void {
    this.stand();
    drawScale(this.svg, this.scale, this.scene.units.length, this.wide, this.high);
    this.again();
  }

  pixel(at: number[]): Placed {
    const [x, y] = [at[0] - this.middle[0], at[1] - this.middle[1]];
    return { x: this.wide / 2 + this.scale * x, y: this.high / 2 - this.scale * y };
  }

  world(at: Placed): [number, number] {
    return [this.middle[0] + (at.x - this.wide / 2) / this.scale, this.middle[1] - (at.y - this.high / 2) / this.scale];
  }
}
