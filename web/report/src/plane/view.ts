// The mechanism in the plane, as a drawing that can be moved and enlarged.
import type { Scene } from "../data";
import { Labels, type Segment, type Wanted } from "../labels";
import { type Motion, place, type Poses } from "../motion";
import { change, line, make } from "../svg";
import type { Placed, Viewer } from "../viewer";
import { drawBody, linkWidth, nameAnchor } from "./bodies";
import { drawJoint, standCorners, turningRadius } from "./glyphs";
import { handle } from "./hand";
import { Layers } from "./layers";
import { drawScale } from "./scale";
import { Stretches } from "./stretches";

interface Named extends Wanted {
  body: string;
  at: number[];
  clear: number;
}
const MARGIN = 44; // pixels around the mechanism, for supports and names
const TOOLS = 44; // pixels on the right that the buttons cover
const FEW_PATHS = 3;

export class PlaneViewer implements Viewer {
  private root!: SVGGElement;
  private layers!: Layers;
  private stretches!: Stretches;
  private names!: Labels;
  private named: Named[] = [];
  private stands: number[][][] = []; // corners of supports
  private dots: { element: SVGCircleElement; body: string; at: number[] }[] = [];
  private wide = 0;
  private high = 0;
  private fitted = 1; // pixels per length when all is seen
  private scale = 1;
  private middle: [number, number] = [0, 0];
  private shown: { poses: Poses; time: number } | null = null;
  private wantsLabels = true;
  private wantsPaths = true;

  constructor(
    private svg: SVGSVGElement,
    private scene: Scene,
    private motion: Motion,
  ) {
    this.measure();
    new ResizeObserver(() => this.measure()).observe(svg.parentElement!);
    handle(
      svg,
      (dx, dy) => this.pan(dx, dy),
      (factor, at) => this.zoom(factor, at),
    );
  }

  show(poses: Poses, time: number): void {
    this.shown = { poses, time };
    this.layers.move(poses);
    this.stretches.move(poses);
    for (const { element, body, at } of this.dots) {
      const here = place(poses, body, at);
      element.style.display = here ? "" : "none";
      if (!here) continue;
      const { x, y } = this.pixel(here);
      change(element, { cx: x, cy: y });
      element.dataset.x = String(here[0]);
      element.dataset.y = String(here[1]);
    }
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
    const [low, high] = this.scene.box;
    const [dx, dy] = [high[0] - low[0] || 1e-9, high[1] - low[1] || 1e-9];
    const room = Math.min(MARGIN, 0.1 * this.wide);
    const wide = this.wide - TOOLS;
    this.fitted = Math.min((wide - 2 * room) / dx, (this.high - 2 * MARGIN) / dy, wide / (0.3 * this.scene.size));
    this.scale = this.fitted;
    this.middle = [(low[0] + high[0]) / 2 + TOOLS / 2 / this.scale, (low[1] + high[1]) / 2];
    this.look();
  }

  labels(on: boolean): void {
    this.wantsLabels = this.names.on = on;
    if (this.shown) this.name(this.shown.poses);
  }

  paths(on: boolean): void {
    this.wantsPaths = on;
    this.layers.groups.paths.style.display = on ? "" : "none";
  }

  recolour(): void {} // the style sheet does it

  // Draws all anew for the room there is: sizes of pins and links follow from it.
  private measure(): void {
    const box = this.svg.getBoundingClientRect();
    if (box.width < 10 || (Math.abs(box.width - this.wide) < 1 && Math.abs(box.height - this.high) < 1)) return;
    [this.wide, this.high] = [box.width, box.height];
    this.svg.replaceChildren();
    change(this.svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    this.root = make("g", {}, this.svg);
    this.layers = new Layers(this.root, this.scene);
    this.fit();
    const unit = 1 / this.fitted;
    const width = linkWidth(this.scene, unit);
    const first = this.motion.at(this.motion.start);
    for (const body of this.scene.bodies) drawBody(this.layers, body, width, unit);
    for (const joint of this.scene.joints) drawJoint(this.layers, joint, width, unit, first);
    this.stretches = new Stretches(this.layers, this.scene, width);
    this.trace();
    this.stands = this.scene.joints.map((joint) => standCorners(joint, this.scene, width, unit));
    this.prepareNames(width, unit);
    this.paths(this.wantsPaths);
    this.look();
  }

  private trace(): void {
    const few = this.scene.points.length <= FEW_PATHS;
    this.dots = [];
    const dots = make("g", { class: "dots" }, this.svg);
    for (const point of this.scene.points) {
      const path = line(this.motion.path(point.body, point.at));
      make("path", { class: few ? "path" : "path faint", d: path, "data-path": point.name }, this.layers.groups.paths);
      if (!point.named) continue;
      const element = make("circle", { class: "dot", r: 4, "data-point": point.name }, dots);
      this.dots.push({ element, body: point.body, at: point.at });
    }
  }

  private prepareNames(width: number, unit: number): void {
    const clear = 0.5 * width * this.fitted;
    this.named = this.scene.points
      .filter((point) => point.named)
      .map((point) => ({ text: point.name, kind: "point", body: point.body, at: point.at, clear: 5 }));
    for (const body of this.scene.bodies) {
      const at = body.fixed ? null : nameAnchor(this.scene, body);
      if (at) this.named.push({ text: body.name, kind: "body", colour: body.colour, body: body.name, at, clear });
    }
    const points = new Set(this.scene.points.map((point) => point.name));
    for (const joint of this.scene.joints) {
      if (points.has(joint.name) || !["pin", "slot", "slider", "weld", "rod"].includes(joint.glyph)) continue;
      const around = joint.driven ? turningRadius(width, unit) * this.fitted + 1 : clear + 1;
      this.named.push({ text: joint.name, kind: "joint", body: joint.second.body, at: joint.second.at, clear: around });
    }
    this.names = new Labels(make("g", { class: "labels" }, this.svg), this.named);
    this.names.on = this.wantsLabels;
  }

  private name(poses: Poses): void {
    const enlarged = this.scale / this.fitted;
    const anchors = this.named.map(({ body, at }) => {
      const here = place(poses, body, at);
      return here && this.pixel(here);
    });
    const clear = this.named.map((entry) => (entry.kind === "point" ? entry.clear : entry.clear * enlarged));
    this.names.place(anchors, this.lines(poses), clear, this.wide - TOOLS, this.high);
  }

  private lines(poses: Poses): Segment[] {
    const out: Segment[] = [];
    const add = (a: number[] | null, b: number[] | null): void => {
      if (!a || !b) return;
      const [p, q] = [this.pixel(a), this.pixel(b)];
      out.push([p.x, p.y, q.x, q.y]);
    };
    for (const body of this.scene.bodies) {
      for (const shape of body.shapes) {
        if (shape.kind === "curve") continue;
        const placed = shape.points!.map((point) => place(poses, body.name, point));
        for (let k = 1; k < placed.length; k++) add(placed[k - 1], placed[k]);
        if (shape.kind === "plate") add(placed[placed.length - 1], placed[0]);
      }
    }
    for (const [a, b] of this.stretches.lines(poses)) add(a, b);
    for (const corners of this.stands) corners.forEach((corner, k) => add(corner, corners[(k + 1) % corners.length]));
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
