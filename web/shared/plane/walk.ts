// A walk: the ground, and the forces of the ground on the feet as arrows at their centres of pressure.
import { valueAt } from "../charts/values";
import type { Column, Run, Scene, WalkData } from "../data";
import { quantity } from "../numbers";
import { change, make } from "../svg";
import type { Placed } from "../viewer";

const [HATCH, HEAD] = [16, 10]; // pixels between the lines of the ground, and of the head of an arrow
const SEEN = 0.02; // of the largest reaction: a smaller one is no contact

interface Step {
  at: Column;
  force: Column[];
  shaft: SVGPathElement;
  head: SVGPathElement;
  value: SVGTextElement;
}

export class Walk {
  on = true;
  private ground: SVGGElement;
  private base: SVGPathElement;
  private lines: SVGPathElement;
  private steps: Step[];
  private data: WalkData;

  constructor(svg: SVGSVGElement, scene: Scene, run: Run) {
    this.data = scene.walk!;
    const known = new Map(run.columns.map((column) => [column.name, column]));
    this.ground = make("g", { class: "ground-line" }, svg);
    this.base = make("path", {}, this.ground);
    this.lines = make("path", { class: "hatch" }, this.ground);
    this.steps = this.data.reactions.map(({ at, force, colour, label }) => {
      const group = make("g", { class: "ground-reaction", "data-reaction": label }, svg);
      group.style.setProperty("--c", colour);
      const [shaft, head] = [make("path", { class: "shaft" }, group), make("path", { class: "head" }, group)];
      const value = make("text", {}, group);
      return { at: known.get(at)!, force: force.map((name) => known.get(name)!), shaft, head, value };
    });
  }

  show(time: number, pixel: (at: number[]) => Placed, scale: number, wide: number): void {
    const level = pixel([0, this.data.ground]);
    const first = (((level.x % HATCH) + HATCH) % HATCH) - HATCH;
    let hatch = "";
    for (let x = first; x < wide + HATCH; x += HATCH) hatch += `M${x.toFixed(1)} ${level.y + 1}l-7 8`;
    change(this.base, { d: `M0 ${level.y}H${wide}` });
    change(this.lines, { d: hatch });
    for (const step of this.steps) this.arrow(step, time, pixel, scale);
  }

  private arrow({ at, force, shaft, head, value }: Step, time: number, pixel: (at: number[]) => Placed, scale: number) {
    const [fx, fy] = force.map((column) => valueAt(column, time));
    const size = Math.hypot(fx, fy);
    const x = valueAt(at, time);
    const seen = this.on && size > SEEN * this.data.weight && Number.isFinite(x + size);
    (shaft.parentElement as unknown as SVGGElement).style.display = seen ? "" : "none";
    if (!seen) return;
    const from = pixel([x, this.data.ground]);
    const long = (size / this.data.weight) * this.data.length * scale;
    const [ux, uy] = [fx / size, -fy / size];
    const tip = { x: from.x + long * ux, y: from.y + long * uy };
    const [bx, by] = [tip.x - HEAD * ux, tip.y - HEAD * uy];
    change(shaft, { d: `M${from.x} ${from.y}L${bx} ${by}` });
    change(head, { d: `M${tip.x} ${tip.y}L${bx - 4 * uy} ${by + 4 * ux}L${bx + 4 * uy} ${by - 4 * ux}Z` });
    change(value, { x: tip.x + 6, y: tip.y - 2 });
    const words = quantity(size, force[0].unit, 3);
    if (value.textContent !== words) value.textContent = words;
  }
}
