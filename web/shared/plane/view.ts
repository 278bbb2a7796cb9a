// The mechanism in the plane, as a drawing that can be moved and enlarged.
import { Arrows } from "../arrows";
import type { Run, Scene } from "../data";
import { Labels, type Segment, type Wanted } from "../labels";
import { type Motion, place, type Poses } from "../motion";
import { ForceLegend } from "../forces";
import { drawScale } from "../scale";
import { change, make } from "../svg";
import type { Layer, Placed, Viewer } from "../viewer";
import { handle } from "./hand";
import { Strokes } from "./strokes";
import { Traces } from "./traces";

interface Named extends Wanted {
  body: string;
  at: number[];
  clear: number;
}
const MARGIN = 36; // pixels around the mechanism, for names
const TOOLS = 44; // pixels on the right that the buttons cover
const POINT = 5; // pixels that a name keeps away from its point

export class PlaneViewer implements Viewer {
  readonly layers: readonly Layer[];
  private root!: SVGGElement;
  private strokes!: Strokes;
  private traces!: Traces;
  private arrows!: Record<"velocity" | "acceleration", Arrows>;
  private legend!: ForceLegend;
  private names!: Labels;
  private named: Named[] = [];
  private dots: { element: SVGCircleElement; body: string; at: number[] }[] = [];
  private wide = 0;
  private high = 0;
  private fitted = 1; // pixels per length when all is seen
  private scale = 1;
  private middle: [number, number] = [0, 0];
  private shown: { poses: Poses; time: number } | null = null;
  private on: Record<Layer, boolean> = { names: true, paths: true, forces: true, velocity: false, acceleration: false };
  private growing = false;

  constructor(
    private svg: SVGSVGElement,
    private scene: Scene,
    private motion: Motion,
    private run: Run,
  ) {
    this.measure();
    const shown = (["velocity", "acceleration"] as const).filter((layer) => this.arrows[layer].any);
    const forces = scene.forces ? (["forces"] as const) : [];
    this.layers = ["names", ...(scene.points.length ? (["paths"] as const) : []), ...forces, ...shown];
    new ResizeObserver(() => this.measure()).observe(svg.parentElement!);
    handle(
      svg,
      (dx, dy) => this.pan(dx, dy),
      (factor, at) => this.zoom(factor, at),
    );
  }

  show(poses: Poses, time: number): void {
    this.shown = { poses, time };
    this.strokes.move(poses, time);
    this.traces.show(time);
    Object.values(this.arrows).forEach((arrows, k) => {
      const corner = { x: 14, y: this.high - 44 - 20 * k };
      const where = (body: string, at: number[]): number[] | null => place(poses, body, at);
      arrows.show(time, where, (at) => this.pixel(at), this.scale, corner);
    });
    for (const { element, body, at } of this.dots) {
      const here = place(poses, body, at);
      element.style.display = here ? "" : "none";
      if (!here) continue;
      const { x, y } = this.pixel(here);
      change(element, { cx: x, cy: y });
      element.dataset.x = String(here[0]);
      element.dataset.y = String(here[1]);
    }
    this.legend.show(this.scale, this.wide);
    this.name(poses);
  }

  zoom(factor: number, at?: Placed): void {
    const scale = Math.min(Math.max(this.scale * factor, 0.2 * this.fitted), 200 * this.fitted);
    const fixed = at ?? { x: this.wide / 2, y: this.high / 2 };
    const [x, y] = this.world(fixed);
    this.scale = scale;
    this.middle = [x - (fixed.x - this.wide / 2) / scale, y + (fixed.y - this.high / 2) / scale];
    this.look();
  }

  fit(): void {
    const [low, high] = this.scene.framed;
    const [dx, dy] = [high[0] - low[0] || 1e-9, high[1] - low[1] || 1e-9];
    const room = Math.min(MARGIN, 0.1 * this.wide);
    const wide = this.wide - TOOLS;
    this.fitted = Math.min((wide - 2 * room) / dx, (this.high - 2 * MARGIN) / dy, wide / (0.3 * this.scene.size));
    this.scale = this.fitted;
    this.middle = [(low[0] + high[0]) / 2 + TOOLS / 2 / this.scale, (low[1] + high[1]) / 2];
    this.look();
  }

  turn(layer: Layer, on: boolean): void {
    this.on[layer] = on;
    this.apply();
    if (this.shown) this.show(this.shown.poses, this.shown.time);
  }

  grow(on: boolean): void {
    this.traces.growing = this.growing = on;
    if (this.shown) this.traces.show(this.shown.time);
  }

  recolour(): void {} // the style sheet does it

  // Draws all anew for the room there is.
  private measure(): void {
    const box = this.svg.getBoundingClientRect();
    if (box.width < 10 || (Math.abs(box.width - this.wide) < 1 && Math.abs(box.height - this.high) < 1)) return;
    [this.wide, this.high] = [box.width, box.height];
    this.svg.replaceChildren();
    change(this.svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    this.root = make("g", {}, this.svg);
    this.strokes = new Strokes(this.root, this.scene, this.motion);
    this.traces = new Traces(this.strokes.paths, this.scene, this.motion);
    this.traces.growing = this.growing;
    const arrows = (quantity: "v" | "a"): Arrows => new Arrows(make("g", {}, this.svg), this.scene, this.run, quantity);
    this.arrows = { velocity: arrows("v"), acceleration: arrows("a") };
    this.legend = new ForceLegend(this.svg, this.scene);
    this.mark();
    this.prepareNames();
    this.apply();
    this.fit();
  }

  private apply(): void {
    this.names.on = this.on.names;
    this.strokes.paths.style.display = this.on.paths ? "" : "none";
    this.strokes.forces = this.legend.on = this.on.forces;
    for (const layer of ["velocity", "acceleration"] as const) this.arrows[layer].on = this.on[layer];
  }

  private mark(): void {
    const layer = make("g", { class: "dots" }, this.svg);
    this.dots = this.scene.points
      .filter((point) => point.named)
      .map(({ name, body, at }) => {
        return { element: make("circle", { class: "dot", r: 4, "data-point": name }, layer), body, at };
      });
  }

  private prepareNames(): void {
    const colours = new Map(this.scene.bodies.map((body) => [body.name, body.colour]));
    this.named = this.scene.texts.map(({ text, of, body, anchors, clear }) => {
      const colour = of === "body" ? colours.get(body) : undefined;
      return { text, kind: of, colour, body, at: anchors[0], clear };
    });
    this.names = new Labels(make("g", { class: "labels" }, this.svg), this.named);
  }

  private name(poses: Poses): void {
    const anchors = this.named.map(({ body, at }) => {
      const here = place(poses, body, at);
      return here && this.pixel(here);
    });
    const clear = this.named.map((entry) => (entry.kind === "point" ? POINT : entry.clear * this.scale + 1));
    this.names.place(anchors, this.lines(poses), clear, this.wide - TOOLS, this.high);
  }

  private lines(poses: Poses): Segment[] {
    const out: Segment[] = [];
    const add = (a: number[] | null, b: number[] | null): void => {
      if (!a || !b) return;
      const [p, q] = [this.pixel(a), this.pixel(b)];
      out.push([p.x, p.y, q.x, q.y]);
    };
    for (const { frame, points } of this.scene.lines) {
      const [a, b] = points.map((point) => place(poses, frame, point));
      add(a, b);
    }
    for (const [a, b] of this.strokes.ends(poses)) add(a, b);
    return out;
  }

  private look(): void {
    const k = this.scale;
    const [x, y] = this.middle;
    change(this.root, { transform: `matrix(${k} 0 0 ${-k} ${this.wide / 2 - k * x} ${this.high / 2 + k * y})` });
    drawScale(this.svg, k, this.scene.units.length, this.wide, this.high);
    if (this.shown) this.show(this.shown.poses, this.shown.time);
  }

  private pan(dx: number, dy: number): void {
    this.middle = [this.middle[0] - dx / this.scale, this.middle[1] + dy / this.scale];
    this.look();
  }

  private pixel(at: number[]): Placed {
    return {
      x: this.wide / 2 + this.scale * (at[0] - this.middle[0]),
      y: this.high / 2 - this.scale * (at[1] - this.middle[1]),
    };
  }

  private world(at: Placed): [number, number] {
    return [this.middle[0] + (at.x - this.wide / 2) / this.scale, this.middle[1] - (at.y - this.high / 2) / this.scale];
  }
}
