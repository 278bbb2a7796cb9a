// One chart over time: its lines, their values at the cursor, and the marks of events.
import type { Column, Curve, SceneEvent } from "../data";
import { digits, tickLabels, ticks } from "../numbers";
import { change, line, make } from "../svg";
import { alone, between, bounds, settled, valueAt } from "./values";

export const LEFT = 58,
  RIGHT = 12;
const HEIGHT = 118,
  TOP = 8,
  FOOT = 26;
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"];

function lastOf({ v }: Column): number {
  return v[v.length - 1];
}

export class Chart {
  readonly element = document.createElement("figure");
  readonly plot: SVGSVGElement;
  private head = document.createElement("figcaption");
  private outputs: HTMLElement[] = [];
  private cursor!: SVGGElement;
  private wide = 0;
  private range: [number, number] = [0, 1];
  private scale: [number, number] = [0, 1];
  private colours: string[];

  constructor(
    readonly columns: Column[],
    private events: SceneEvent[],
    close: () => void,
  ) {
    this.element.className = "chart";
    this.element.dataset.columns = columns.map((column) => column.name).join(" ");
    this.plot = make("svg", { role: "img", "aria-label": `${columns.map((c) => c.name).join(", ")} over time` });
    this.colours = columns.map((column, k) => (columns.length === 1 && column.colour) || COLOURS[k % COLOURS.length]);
    columns.forEach((column, k) => this.head.append(this.legend(column, k)));
    const button = document.createElement("button");
    button.type = "button";
    button.className = "close";
    button.title = "remove this chart";
    button.textContent = "×";
    button.addEventListener("click", close);
    this.head.append(button);
    this.element.append(this.head, this.plot);
  }

  private legend(column: Column, k: number): HTMLElement {
    const entry = document.createElement("span");
    entry.className = "legend";
    entry.style.setProperty("--c", this.colours[k]);
    const name = document.createElement("b");
    name.textContent = k === 0 ? column.name : column.word;
    entry.title = column.name;
    const value = document.createElement("output");
    value.dataset.column = column.name;
    this.outputs.push(value);
    entry.append(name, column.unit ? ` [${column.unit}]` : "", value);
    return entry;
  }

  // Draws the lines for a width in pixels and a range of time; the first chart of a stack names a stop, the last one
  // the times.
  draw(wide: number, range: [number, number], first: boolean, last: boolean, unit: string): void {
    this.wide = wide;
    this.range = range;
    const high = HEIGHT + TOP + (last ? FOOT : 6);
    this.plot.replaceChildren();
    change(this.plot, { viewBox: `0 0 ${wide} ${high}`, height: high });
    this.scale = bounds(this.columns, range);
    this.grid(last ? unit : null);
    for (const event of this.events) {
      if (event.t < range[0] || event.t > range[1]) continue;
      const [x, stop] = [this.x(event.t), !event.passed];
      const mark = make("g", { class: stop ? "event stop" : "event" }, this.plot);
      make("line", { x1: x, x2: x, y1: TOP, y2: TOP + HEIGHT }, mark);
      make("title", {}, mark).textContent = event.message;
      if (!first || !stop) continue;
      const side = x > wide / 2 ? { x: x - 5, "text-anchor": "end" } : { x: x + 5 };
      const text = `stops at t = ${digits(event.t)}${unit ? ` ${unit}` : ""}`;
      const high = this.y(lastOf(this.columns[0])) < TOP + HEIGHT / 2; // then the text stands low, beside the curve
      make("text", { y: high ? TOP + HEIGHT - 6 : TOP + 12, ...side }, mark).textContent = text;
    }
    const inner = make("svg", { x: LEFT, y: TOP, width: wide - LEFT - RIGHT, height: HEIGHT }, this.plot); // it clips
    change(inner, { viewBox: `${LEFT} ${TOP} ${wide - LEFT - RIGHT} ${HEIGHT}` });
    this.columns.forEach((column, k) => {
      this.beside(column, this.colours[k], inner);
      const path = make("path", { class: "line", d: this.path(column) }, inner);
      path.style.setProperty("--c", this.colours[k]);
      const dots = make("path", { class: "dots", d: this.dots(column) }, inner);
      dots.style.setProperty("--c", this.colours[k]);
    });
    this.cursor = make("g", { class: "cursor" }, this.plot);
  }

  private grid(unit: string | null): void {
    const [wide, range] = [this.wide, this.range];
    const grid = make("g", { class: "grid" }, this.plot);
    this.limits(grid);
    const values = ticks(...this.scale, 5.5);
    const labels = tickLabels(values);
    values.forEach((value, k) => {
      const y = this.y(value);
      make("line", { x1: LEFT, x2: wide - RIGHT, y1: y, y2: y, class: value === 0 ? "zero" : "" }, grid);
      make("text", { x: LEFT - 7, y: y + 4, "text-anchor": "end" }, grid).textContent = labels[k];
    });
    const times = ticks(...range, Math.max(wide / 90, 2));
    const names = tickLabels(times);
    times.forEach((time, k) => {
      make("line", { x1: this.x(time), x2: this.x(time), y1: TOP, y2: TOP + HEIGHT }, grid);
      if (unit !== null && this.x(time) < wide - 52)
        make("text", { x: this.x(time), y: TOP + HEIGHT + 16, "text-anchor": "middle" }, grid).textContent = names[k];
    });
    if (unit === null) return;
    const text = make("text", { x: wide - RIGHT, y: TOP + HEIGHT + 16, "text-anchor": "end", class: "axis" }, grid);
    text.textContent = unit ? `t [${unit}]` : "t";
  }

  // The band that a column should keep to, and the lines beyond which there is trouble.
  private limits(grid: SVGGElement): void {
    const { limits } = this.columns[0];
    if (!limits) return;
    const inside = (value: number): number => Math.min(Math.max(this.y(value), TOP), TOP + HEIGHT);
    const [y, end] = [inside(limits.band[1]), inside(limits.band[0])];
    const band = make("rect", { class: "band", x: LEFT, y, width: this.wide - LEFT - RIGHT, height: end - y }, grid);
    make("title", {}, band).textContent = limits.note;
    for (const value of limits.lines) {
      if (value < this.scale[0] || value > this.scale[1]) continue;
      const at = this.y(value);
      make("line", { class: "limit", x1: LEFT, x2: this.wide - RIGHT, y1: at, y2: at }, grid);
    }
  }

  show(time: number): void {
    const seen = time >= this.range[0] && time <= this.range[1];
    const x = this.x(time);
    this.cursor.replaceChildren();
    if (seen) make("line", { x1: x, x2: x, y1: TOP, y2: TOP + HEIGHT }, this.cursor);
    this.columns.forEach((column, k) => {
      const value = settled(column, valueAt(column, time));
      this.outputs[k].textContent = digits(value);
      if (!seen || !Number.isFinite(value)) return;
      const dot = make("circle", { cx: x, cy: this.y(value), r: 3.5 }, this.cursor);
      dot.style.setProperty("--c", this.colours[k]);
    });
  }

  time(x: number): number {
    const part = (x - LEFT) / (this.wide - LEFT - RIGHT);
    return this.range[0] + Math.min(Math.max(part, 0), 1) * (this.range[1] - this.range[0]);
  }

  // The part of the chart between two places, while a range is being chosen; null when done.
  select(from: number | null, to = 0): void {
    this.plot.querySelector(".chosen")?.remove();
    if (from === null) return;
    make(
      "rect",
      { class: "chosen", x: Math.min(from, to), width: Math.abs(to - from), y: TOP, height: HEIGHT },
      this.plot,
    );
  }

  private x(time: number): number {
    const length = this.range[1] - this.range[0] || 1;
    return LEFT + ((time - this.range[0]) / length) * (this.wide - LEFT - RIGHT);
  }

  private y(value: number): number {
    return TOP + HEIGHT * (1 - (value - this.scale[0]) / (this.scale[1] - this.scale[0]));
  }

  private path(column: Column): string {
    const { t, v, slope, gaps } = column;
    const points: (number[] | null)[] = [];
    const seen = (t.length * (this.range[1] - this.range[0])) / (t[t.length - 1] - t[0] || 1);
    const parts = slope && seen < 600 ? 8 : 1;
    for (let k = 0; k < t.length; k++) {
      if ((t[k + 1] ?? t[k]) < this.range[0] || (t[k - 1] ?? t[k]) > this.range[1]) continue;
      points.push(Number.isFinite(v[k]) ? [this.x(t[k]), this.y(v[k])] : null);
      if (gaps.has(k)) points.push(null);
      for (let n = 1; n < parts && k + 1 < t.length; n++) {
        const value = between(column, k, n / parts);
        if (Number.isFinite(value)) points.push([this.x(t[k] + ((t[k + 1] - t[k]) * n) / parts), this.y(value)]);
      }
    }
    return line(points);
  }

  // Measured samples as dots behind the curve, and the curve of a reference table, dashed.
  private beside({ samples, reference }: Column, colour: string, inner: SVGElement): void {
    const places = ({ t, v }: Curve): number[][] => Array.from(t, (time, k) => [this.x(time), this.y(v[k])]);
    if (samples) {
      const d = places(samples).map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`);
      const dots = make("path", { class: "samples", d: d.join("") }, inner);
      make("title", {}, dots).textContent = "measured";
      dots.style.setProperty("--c", colour);
    }
    if (reference) make("path", { class: "reference", d: line(places(reference)) }, inner);
  }

  // Rows that no line touches: lines without length, whose round ends are dots.
  private dots(column: Column): string {
    const { t, v } = column;
    let out = "";
    for (let k = 0; k < t.length; k++)
      if (t[k] >= this.range[0] && t[k] <= this.range[1] && alone(column, k))
        out += `M${this.x(t[k]).toFixed(1)} ${this.y(v[k]).toFixed(1)}h0`;
    return out;
  }
}
