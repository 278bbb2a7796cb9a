// Velocities and accelerations of the points as arrows over the drawing, and the length of a round value beside them.
import type { Run, Scene, Vector } from "./data";
import { valueAt } from "./charts/values";
import { quantity } from "./numbers";
import { change, make } from "./svg";
import type { Placed } from "./viewer";

const LETTERS = ["x", "y", "z"];
const LONG = 0.25; // of the mechanism's size: an arrow that three of four are shorter than
const MOST = 1; // of the mechanism's size: longer ones are cut, and dashed
const HEAD = 9; // pixels
export type Quantity = "v" | "a";
type Pixel = (at: Vector) => Placed;

// Where points are at a time; null in a gap.
export type Where = (body: string, at: Vector) => Vector | null;

export class Arrows {
  readonly any: boolean;
  on = false;
  private arrows: { body: string; at: Vector; columns: Run["columns"]; shaft: SVGPathElement; head: SVGPathElement }[] =
    [];
  private legend: SVGGElement;
  private usual = 0; // a length of the run that three of four are shorter than
  private unit = "";
  private written = ""; // what the scale was drawn for

  constructor(
    private layer: SVGGElement,
    private scene: Scene,
    run: Run,
    private kind: Quantity,
  ) {
    const known = new Map(run.columns.map((column) => [column.name, column]));
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    const lengths: number[] = [];
    for (const { name, body, at } of scene.points) {
      const names = LETTERS.slice(0, scene.dimension).map((letter) => `${name}.${kind}${letter}`);
      if (!names.every((one) => known.has(one))) continue;
      const columns = names.map((one) => known.get(one)!);
      const group = make("g", { class: `arrow ${kind}`, "data-arrow": `${name}.${kind}` }, layer);
      group.style.setProperty("--c", colours.get(body) ?? "");
      const [shaft, head] = [make("path", { class: "shaft" }, group), make("path", { class: "head" }, group)];
      this.arrows.push({ body, at, columns, shaft, head });
      this.unit = columns[0].unit;
      for (const t of run.rows) lengths.push(Math.hypot(...columns.map((column) => valueAt(column, t))));
    }
    const sorted = lengths.filter(Number.isFinite).sort((a, b) => a - b);
    const size = Math.max(...this.arrows.flatMap(({ columns }) => columns.map(({ scale }) => scale)), 0);
    this.usual = sorted[Math.floor(0.75 * (sorted.length - 1))] || sorted[sorted.length - 1] || 0;
    this.any = this.usual > 1e-9 * size;
    this.legend = make("g", { class: `arrow legend-arrow ${kind}` }, layer);
  }

  show(time: number, where: Where, pixel: Pixel, scale: number, corner: Placed): void {
    change(this.layer, { display: this.on && this.any ? "inline" : "none" });
    if (!this.on || !this.any) return;
    const factor = (LONG * this.scene.size) / this.usual;
    for (const { body, at, columns, shaft, head } of this.arrows) {
      const from = where(body, at);
      const value = columns.map((column) => valueAt(column, time));
      const length = Math.hypot(...value) * factor;
      const group = shaft.parentElement as unknown as SVGGElement;
      group.style.display = from && Number.isFinite(length) ? "" : "none";
      if (!from || !Number.isFinite(length)) continue;
      const cut = Math.min(1, (MOST * this.scene.size) / (length || 1));
      const tip = from.map((x, k) => x + cut * factor * value[k]);
      this.draw(shaft, head, pixel(from), pixel(tip), cut < 1);
      [group.dataset.x, group.dataset.y, group.dataset.z] = value.map(String);
    }
    this.writeScale(factor * scale, corner);
  }

  private draw(shaft: SVGPathElement, head: SVGPathElement, from: Placed, to: Placed, cut: boolean): void {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy);
    const seen = length > 1.5;
    for (const part of [shaft, head]) part.style.display = seen ? "" : "none";
    if (!seen) return;
    const size = Math.min(HEAD, 0.6 * length);
    const [ux, uy] = [dx / length, dy / length];
    const [bx, by] = [to.x - size * ux, to.y - size * uy];
    const wide = 0.4 * size;
    change(shaft, { d: `M${from.x} ${from.y}L${bx} ${by}`, class: cut ? "shaft cut" : "shaft" });
    change(head, { d: `M${to.x} ${to.y}L${bx - wide * uy} ${by + wide * ux}L${bx + wide * uy} ${by - wide * ux}Z` });
  }

  // An arrow of a round value in the corner.
  private writeScale(pixels: number, corner: Placed): void {
    const asked = `${pixels} ${corner.x} ${corner.y}`;
    if (asked === this.written) return;
    this.written = asked;
    this.legend.replaceChildren();
    const decade = 10 ** Math.floor(Math.log10(this.usual));
    const value = [5, 2, 1].map((k) => k * decade).find((x) => x <= this.usual * 1.0001) ?? decade;
    const from = { x: corner.x, y: corner.y };
    const to = { x: corner.x + value * pixels, y: corner.y };
    this.draw(make("path", {}, this.legend), make("path", { class: "head" }, this.legend), from, to, false);
    const word = this.kind === "v" ? "velocity" : "acceleration";
    const text = make("text", { x: to.x + 7, y: to.y + 4 }, this.legend);
    text.textContent = `${word} ${quantity(value, this.unit, 3)}`;
  }
}
