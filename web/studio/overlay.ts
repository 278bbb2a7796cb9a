// What is drawn around the mechanism while it is edited: a grid below it; pins, guides, a link under way and a joint that
// opens above it; and the lengths of the selected link, which can be typed into.
import type { Scene, Vector } from "../shared/data";
import { place, type Poses } from "../shared/motion";
import { digits } from "../shared/numbers";
import type { PlaneViewer } from "../shared/plane/view";
import type { Part } from "../shared/store";
import { change, make } from "../shared/svg";
import type { Placed } from "../shared/viewer";
import type { Fields } from "./fields";
import type { Pin } from "./messages";

const LEAST = 26; // pixels between lines of the grid
const POSE = 34; // pixels of the arms of a pose

export interface Sketch {
  guides: [Vector, Vector][];
  link: [Vector, Vector] | null;
  target: Vector | null; // a pin to be joined
  opens: string; // the joint that an impossible drag would open
  line: Vector[]; // that is being drawn
}
export const NO_SKETCH: Sketch = { guides: [], link: null, target: null, opens: "", line: [] };
// A pin as it is shown.
export interface Spot {
  reference: string;
  body: string;
  at: Vector;
}
// What the design by hand asks for, and what it found at a point: poses (x, y, degrees), a path, the band of tolerances.
export interface Wanted {
  poses: Vector[];
  path: Vector[];
  targets: Vector[]; // that the path of a point shall pass
  band: { point: string; axes: number[]; angle: number; scale: number } | null;
}
// An equilibrium as it is named on the drawing.
export interface Rest {
  number: number;
  stability: string;
  at: Vector;
  choose(): void;
}
// The range of a driver, drawn around its joint; angles in radians.
export interface Dial {
  joint: string;
  low: number;
  high: number;
}

export class Overlay {
  pins: Pin[] = [];
  editing = true;
  sketch: Sketch = NO_SKETCH;
  wanted: Wanted = { poses: [], path: [], targets: [], band: null };
  rests: Rest[] = []; // equilibria
  cross: Vector | null = null; // where keys draw a link
  dial: Dial | null = null;
  culprits: string[] = []; // joints that the first error is about
  private poses: Poses = {};
  private gridded = ""; // the view that the grid is drawn for

  constructor(
    private grid: SVGSVGElement,
    private above: SVGSVGElement,
    private fields: Fields,
    private viewer: () => PlaneViewer | null,
    private scene: () => Scene | null,
    private selected: () => Part | null,
  ) {}

  // World places of all pins as they are shown.
  places(): Spot[] {
    return this.pins.flatMap(([reference, body, at]) => {
      const here = place(this.poses, body, at);
      return here ? [{ reference, body, at: here }] : [];
    });
  }

  // The pin nearest to a place, within so many pixels; others than those left out.
  near(at: Vector, reach: number, without: Set<string> = new Set()): Spot | null {
    const viewer = this.viewer();
    if (!viewer) return null;
    const target = viewer.pixel(at);
    let [best, found]: [number, ReturnType<Overlay["near"]>] = [reach, null];
    for (const pin of this.places()) {
      if (without.has(pin.reference)) continue;
      const { x, y } = viewer.pixel(pin.at);
      const far = Math.hypot(x - target.x, y - target.y);
      if (far < best) [best, found] = [far, pin];
    }
    return found;
  }

  // The length between lines of the grid.
  step(): number {
    const viewer = this.viewer();
    if (!viewer) return 1;
    const [a, b] = [viewer.pixel([0, 0]), viewer.pixel([1, 0])];
    const least = LEAST / Math.max(b.x - a.x, 1e-12);
    const decade = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((k) => k * decade).find((x) => x >= least * 0.999)!;
  }

  draw(poses: Poses): void {
    this.poses = poses;
    const viewer = this.viewer();
    this.above.replaceChildren();
    if (!viewer || !this.editing) {
      this.grid.replaceChildren();
      this.gridded = "";
      this.fields.clear();
      return;
    }
    this.drawGrid(viewer);
    this.drawPins(viewer);
    this.drawSketch(viewer);
    this.drawWanted(viewer);
    this.drawRests(viewer);
    this.drawDial();
    this.drawFields(viewer);
  }

  // The grid stays as it is while the view does.
  private drawGrid(viewer: PlaneViewer): void {
    const [width, height] = [viewer.wide, viewer.high];
    const [left, top] = viewer.world({ x: 0, y: 0 });
    const [right, bottom] = viewer.world({ x: width, y: height });
    const view = [width, height, left, top, right, bottom].join();
    if (view === this.gridded) return;
    this.gridded = view;
    for (const svg of [this.above, this.grid]) change(svg, { viewBox: `0 0 ${width} ${height}` });
    this.grid.replaceChildren();
    const step = this.step();
    let [fine, zero] = ["", ""];
    for (let k = Math.ceil(left / step); k * step <= right; k++) {
      const { x } = viewer.pixel([k * step, 0]);
      if (k === 0) zero += `M${x} 0V${height}`;
      else fine += `M${x.toFixed(1)} 0V${height}`;
    }
    for (let k = Math.ceil(bottom / step); k * step <= top; k++) {
      const { y } = viewer.pixel([0, k * step]);
      if (k === 0) zero += `M0 ${y}H${width}`;
      else fine += `M0 ${y.toFixed(1)}H${width}`;
    }
    make("path", { d: fine }, this.grid);
    make("path", { d: zero, class: "zero" }, this.grid);
  }

  // A circle for all pins at one place; one that nothing holds is open.
  private drawPins(viewer: PlaneViewer): void {
    const spots = new Map<string, { at: Placed; names: string[] }>();
    for (const { reference, at } of this.places()) {
      const { x, y } = viewer.pixel(at);
      const key = `${x.toFixed(0)} ${y.toFixed(0)}`;
      spots.set(key, { at: { x, y }, names: [...(spots.get(key)?.names ?? []), reference] });
    }
    for (const { at, names } of spots.values()) {
      const free = names.length === 1;
      const look = { class: free ? "pin free" : "pin", cx: at.x, cy: at.y, r: free ? 5 : 4 };
      make("circle", { ...look, "data-pin": names.join(" ") }, this.above);
    }
    const part = this.selected();
    const own = part?.kind === "point" ? this.places().find(({ reference }) => reference === part.name) : null;
    if (own) {
      const { x, y } = viewer.pixel(own.at);
      make("circle", { class: "ring", cx: x, cy: y, r: 10 }, this.above);
    }
  }

  private drawSketch(viewer: PlaneViewer): void {
    const line = ([a, b]: [Vector, Vector], look: string): void => {
      const [p, q] = [viewer.pixel(a), viewer.pixel(b)];
      make("path", { class: look, d: `M${p.x} ${p.y}L${q.x} ${q.y}` }, this.above);
    };
    for (const guide of this.sketch.guides) line(guide, "guide");
    if (this.sketch.link) {
      line(this.sketch.link, "under-way");
      const [a, b] = this.sketch.link;
      const middle = viewer.pixel([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      const text = make("text", { x: middle.x, y: middle.y - 10, class: "under-way-length" }, this.above);
      text.textContent = digits(Math.hypot(b[0] - a[0], b[1] - a[1]));
    }
    if (this.cross) {
      const { x, y } = viewer.pixel(this.cross);
      make("path", { class: "cross", d: `M${x - 12} ${y}h24M${x} ${y - 12}v24` }, this.above);
    }
    if (this.sketch.target) {
      const { x, y } = viewer.pixel(this.sketch.target);
      make("circle", { class: "target", cx: x, cy: y, r: 13 }, this.above);
    }
    if (this.sketch.line.length > 1)
      make("path", { class: "drawn-path", d: trail(viewer, this.sketch.line) }, this.above);
    for (const name of [this.sketch.opens, ...this.culprits]) {
      const here = this.jointAt(name);
      if (here) make("circle", { class: "opens", cx: here.x, cy: here.y, r: 14, "data-opens": name }, this.above);
    }
  }

  private jointAt(name: string): Placed | null {
    const joint = this.scene()?.joints.find((one) => one.name === name);
    const here = joint && place(this.poses, joint.body, joint.at);
    return here && this.viewer() ? this.viewer()!.pixel(here) : null;
  }

  // Poses and the path that are wanted, and the band in which a point lies.
  private drawWanted(viewer: PlaneViewer): void {
    const { poses, path, band } = this.wanted;
    poses.forEach(([x, y, angle], k) => {
      const { x: px, y: py } = viewer.pixel([x, y]);
      const group = make("g", { class: "pose", "data-pose": k, transform: `translate(${px} ${py})` }, this.above);
      make("path", { d: `M0 0H${POSE}M0 0V${-POSE / 2}`, transform: `rotate(${-angle})` }, group);
      make("circle", { r: 4 }, group);
      make("text", { x: 8, y: 18 }, group).textContent = String(k + 1);
    });
    if (path.length > 1) make("path", { class: "drawn-path", d: trail(viewer, path) }, this.above);
    const dot = band && this.scene()?.points.find(({ name }) => name === band.point);
    const pin = band && this.places().find(({ reference }) => reference === band.point);
    const here = dot ? place(this.poses, dot.body, dot.at) : pin?.at;
    if (!here || !band) return;
    const { x, y } = viewer.pixel(here);
    const [rx, ry] = band.axes.map((axis) => Math.max(axis * band.scale * viewer.scale, 1));
    const turn = `rotate(${(-band.angle * 180) / Math.PI} ${x} ${y})`;
    make("ellipse", { class: "band", "data-band": band.point, cx: x, cy: y, rx, ry, transform: turn }, this.above);
  }

  private drawRests(viewer: PlaneViewer): void {
    const taken: Placed[] = [];
    for (const { number, stability, at, choose } of this.rests) {
      const { x, y: wanted } = viewer.pixel(at);
      let y = wanted;
      const covers = (other: Placed): boolean => Math.abs(other.x - x) < 90 && Math.abs(other.y - y) < 24;
      while (taken.some(covers)) y += 24; // one below the other
      taken.push({ x, y });
      const group = make("g", { class: `rest ${stability}`, "data-rest": number }, this.above);
      make("circle", { cx: x, cy: y, r: 11 }, group);
      make("text", { x, y: y + 4, class: "number" }, group).textContent = String(number);
      make("text", { x: x + 15, y: y + 4 }, group).textContent = stability;
      group.addEventListener("click", choose);
    }
    for (const [k, at] of this.wanted.targets.entries()) {
      const { x, y } = viewer.pixel(at);
      make("path", { class: "aim", "data-target": k, d: `M${x} ${y - 8}l8 8l-8 8l-8 -8Z` }, this.above);
    }
  }

  // The range of the driver as an arc around its joint.
  private drawDial(): void {
    const here = this.dial && this.jointAt(this.dial.joint);
    if (!here || !this.dial) return;
    const { low, high } = this.dial;
    const at = (angle: number): string => `${here.x + 30 * Math.cos(angle)} ${here.y - 30 * Math.sin(angle)}`;
    if (high - low > 6.28) make("circle", { class: "dial", cx: here.x, cy: here.y, r: 30 }, this.above);
    else {
      const far = high - low > Math.PI ? 1 : 0;
      const d = `M${here.x} ${here.y}L${at(low)}A30 30 0 ${far} 0 ${at(high)}Z`;
      make("path", { class: "dial", d, "data-low": low, "data-high": high }, this.above);
    }
  }

  private drawFields(viewer: PlaneViewer): void {
    const part = this.selected();
    const all = this.places();
    const joint = part?.kind === "joint" ? this.scene()?.joints.find(({ name }) => name === part.name) : null;
    const at = joint && place(this.poses, joint.body, joint.at);
    const near = (spot: Spot): boolean => !!at && Math.hypot(spot.at[0] - at[0], spot.at[1] - at[1]) < 1e-6 * this.size;
    const own = part?.kind === "point" ? all.filter(({ reference }) => reference === part.name) : all.filter(near);
    this.fields.show(viewer, part, part?.kind === "body" ? all : own.slice(0, 1), this.scene()?.units.length ?? "");
  }

  private get size(): number {
    return this.scene()?.size || 1;
  }
}

function trail(viewer: PlaneViewer, line: Vector[]): string {
  return line.map((at, k) => `${k ? "L" : "M"}${viewer.pixel(at).x} ${viewer.pixel(at).y}`).join("");
}
