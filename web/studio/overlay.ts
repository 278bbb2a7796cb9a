// What is drawn around the mechanism while it is edited: a grid below it; pins, guides, a link under way and a joint that
// opens above it; and the lengths of the selected link, which can be typed into.
import type { Scene, Vector } from "../shared/data";
import { place, type Poses } from "../shared/motion";
import { digits } from "../shared/numbers";
import type { PlaneViewer } from "../shared/plane/view";
import type { Part } from "../shared/store";
import { change, make } from "../shared/svg";
import type { Placed } from "../shared/viewer";
import type { Pin } from "./messages";

const LEAST = 26; // pixels between lines of the grid
const MOST_LENGTHS = 4; // of a link that are shown

export interface Sketch {
  guides: [Vector, Vector][];
  link: [Vector, Vector] | null;
  target: Vector | null; // a pin to be joined
  opens: string; // the joint that an impossible drag would open
}
export const NO_SKETCH: Sketch = { guides: [], link: null, target: null, opens: "" };

export class Overlay {
  pins: Pin[] = [];
  editing = true;
  sketch: Sketch = NO_SKETCH;
  private poses: Poses = {};

  constructor(
    private grid: SVGSVGElement,
    private above: SVGSVGElement,
    private labels: HTMLElement,
    private viewer: () => PlaneViewer | null,
    private scene: () => Scene | null,
    private selected: () => Part | null,
    private typed: (body: string, ends: [string, string], length: string) => void,
  ) {}

  // World places of all pins as they are shown.
  places(): { reference: string; body: string; at: Vector }[] {
    return this.pins.flatMap(([reference, body, at]) => {
      const here = place(this.poses, body, at);
      return here ? [{ reference, body, at: here }] : [];
    });
  }

  // The pin nearest to a place, within so many pixels; others than those left out.
  near(
    at: Vector,
    reach: number,
    without: Set<string> = new Set(),
  ): { reference: string; body: string; at: Vector } | null {
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
    this.grid.replaceChildren();
    if (!viewer || !this.editing) {
      this.labels.replaceChildren();
      return;
    }
    const box = this.above.getBoundingClientRect();
    change(this.above, { viewBox: `0 0 ${box.width} ${box.height}` });
    change(this.grid, { viewBox: `0 0 ${box.width} ${box.height}` });
    this.drawGrid(viewer, box);
    this.drawPins(viewer);
    this.drawSketch(viewer);
    this.drawLengths(viewer);
  }

  private drawGrid(viewer: PlaneViewer, { width, height }: DOMRect): void {
    const step = this.step();
    const [left, top] = viewer.world({ x: 0, y: 0 });
    const [right, bottom] = viewer.world({ x: width, y: height });
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
    if (this.sketch.target) {
      const { x, y } = viewer.pixel(this.sketch.target);
      make("circle", { class: "target", cx: x, cy: y, r: 13 }, this.above);
    }
    const joint = this.scene()?.joints.find(({ name }) => name === this.sketch.opens);
    const here = joint && place(this.poses, joint.body, joint.at);
    if (here) {
      const { x, y } = viewer.pixel(here);
      make("circle", { class: "opens", cx: x, cy: y, r: 14 }, this.above);
    }
  }

  // Distances of the pins of the selected link, each a field at its middle.
  private drawLengths(viewer: PlaneViewer): void {
    const part = this.selected();
    const own = part?.kind === "body" ? this.places().filter(({ body }) => body === part.name) : [];
    const pairs = own
      .flatMap((a, k) => own.slice(k + 1).map((b): [typeof a, typeof b] => [a, b]))
      .slice(0, MOST_LENGTHS);
    if (this.labels.contains(document.activeElement) && pairs.length) return this.placeLengths(viewer, pairs);
    const unit = this.scene()?.units.length ?? "";
    this.labels.replaceChildren(
      ...pairs.map(([a, b]) => {
        const field = document.createElement("input");
        const ends: [string, string] = [a.reference.split(".")[1], b.reference.split(".")[1]];
        const value = Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]);
        field.value = `${digits(value)}${unit ? ` ${unit}` : ""}`;
        field.size = Math.max(field.value.length - 1, 5);
        field.title = `length ${ends.join("–")}: type another and press Enter`;
        field.setAttribute("aria-label", `length ${ends.join(" to ")} of ${a.body}`);
        field.dataset.length = ends.join("");
        field.addEventListener("focus", () => field.select());
        field.addEventListener("keydown", (event) => {
          event.stopPropagation();
          if (event.key === "Escape") field.blur();
          if (event.key !== "Enter") return;
          field.blur();
          this.typed(a.body, ends, field.value);
        });
        return field;
      }),
    );
    this.placeLengths(viewer, pairs);
  }

  private placeLengths(viewer: PlaneViewer, pairs: { at: Vector }[][]): void {
    pairs.forEach(([a, b], k) => {
      const field = this.labels.children[k] as HTMLElement | undefined;
      const { x, y }: Placed = viewer.pixel([(a.at[0] + b.at[0]) / 2, (a.at[1] + b.at[1]) / 2]);
      if (field) [field.style.left, field.style.top] = [`${x}px`, `${y}px`];
    });
  }
}
