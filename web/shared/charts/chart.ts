// One chart: its lines over time or over a column, values at the cursor, extremes, limits, and the marks of events.
import type { Column, Run, SceneEvent } from "../data";
import { digits, prefixOf, quantity, tickLabels, ticks, usualUnit } from "../numbers";
import type { ChartSpec } from "../store";
import { change, line, make } from "../svg";
import { type Axis, sampleTimes } from "./axis";
import { drawBeside } from "./beside";
import { equalRanges, sharesScale } from "./kinds";
import { drawLimits } from "./limits";
import { type Line, linesOf } from "./lines";
import { between, bounds, extremesOf, isSingle, settled, valueAt } from "./values";

const [RIGHT, TOP, FOOT] = [12, 8, 22];
const LEAST = 44; // pixels for the numbers of the vertical axis
const LETTER = 7; // pixels of a digit

export interface Frame {
  wide: number;
  high: number; // of the curves alone
  range: [number, number];
  axis: Axis;
  first: boolean; // the first chart of a stack names a stop
  last: boolean; // the last one names the axis
}

export class Chart {
  readonly plot = make("svg", { role: "img", tabindex: 0 });
  readonly lines: Line[];
  readonly given: string; // the unit of its first column, as chosen
  left = LEAST;
  protected cursor!: SVGGElement;
  protected bar!: SVGLineElement;
  protected pinned: SVGLineElement | null = null;
  frame!: Frame; // what it is drawn over, and the part that is seen
  protected scale: [number, number] = [0, 1];
  private zoomed: [number, number] | null = null; // of the vertical axis

  constructor(
    readonly spec: ChartSpec,
    columns: Column[],
    protected run: Run,
    private events: SceneEvent[],
    units: Record<string, string>,
  ) {
    this.given = units[columns[0].name] ?? usualUnit(columns[0].unit);
    this.lines = linesOf(columns, units);
  }

  // The place of its first curve at a time, in pixels from above.
  height(time: number): number {
    const { column, factor } = this.lines[0];
    const y = this.y(valueAt(column, time) * factor);
    return Number.isFinite(y) ? y : TOP + this.frame.high / 2;
  }

  size(): number {
    return Math.max(...this.scale.map(Math.abs));
  }

  // Takes its frame, and answers the pixels that the numbers of its vertical axis need.
  measure(frame: Frame): number {
    this.frame = frame;
    this.scale = this.zoomed ?? this.bounds();
    return Math.max(LEAST, LETTER * Math.max(...this.labels().map((text) => text.length)) + 12);
  }

  // Draws with so many pixels for the numbers of the vertical axis.
  draw(left: number): void {
    this.left = left;
    const { wide, high, axis, last } = this.frame;
    if (sharesScale(this.spec)) {
      const [range, scale] = equalRanges(this.frame.range, this.scale, wide - left - RIGHT, high);
      [this.frame, this.scale] = [{ ...this.frame, range }, scale];
    }
    this.plot.replaceChildren();
    const whole = high + TOP + (last ? FOOT : 6);
    const names = this.lines.map(({ column }) => column.name).join(", ");
    const label = `${names} over ${axis.column?.name ?? "time"}`;
    change(this.plot, { viewBox: `0 0 ${wide} ${whole}`, height: whole, "aria-label": label });
    this.grid();
    this.marks();
    const box = { x: this.left, y: TOP, width: wide - this.left - RIGHT, height: high };
    const inner = make("svg", box, this.plot); // it clips
    change(inner, { viewBox: `${box.x} ${box.y} ${box.width} ${box.height}` });
    for (const one of this.lines) this.curve(inner, one);
    this.cursor = make("g", { class: "cursor" }, this.plot);
    this.pinned = null;
    this.bar = make("line", { y1: TOP, y2: TOP + high }, this.cursor);
    for (const { dot } of this.lines) this.cursor.append(dot);
  }

  private curve(inner: SVGSVGElement, one: Line): void {
    drawBeside(inner, one, (t, v) => [this.x(t), this.y(v)]);
    const path = make("path", { class: "line", d: this.path(one) }, inner);
    path.style.setProperty("--c", one.colour);
    if (one.dash) path.style.strokeDasharray = one.dash;
    if (one.shift) path.style.strokeDashoffset = String(one.shift);
    const dots = make("path", { class: "dots", d: this.dots(one) }, inner);
    dots.style.setProperty("--c", one.colour);
    for (const { t, v } of one.extremes) {
      const mark = make("circle", { class: "extreme", cx: this.x(t), cy: this.y(v), r: 2.6 }, inner);
      mark.style.setProperty("--c", one.colour);
      make("title", {}, mark).textContent = `${one.column.name} = ${quantity(v, this.given)} at t = ${digits(t)}`;
    }
  }

  // Least and greatest values in the part that is seen; of a column that varies.
  private bounds(): [number, number] {
    const { range, axis } = this.frame;
    const span: [number, number] = axis.column ? [-Infinity, Infinity] : range;
    for (const one of this.lines) one.extremes = extremesOf(one.column, one.factor, sampleTimes(this.run, span));
    const all = this.lines.map(({ column, factor }) => bounds([column], span).map((x) => x * factor));
    return [Math.min(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))];
  }

  protected places(): number[] {
    const factor = prefixOf(this.size(), this.given)[0];
    const count = Math.min(Math.max(this.frame.high / 26, 2), 6);
    const [low, high] = this.scale.map((value) => value / factor);
    return ticks(low, high, count, this.given).map((value) => value * factor);
  }

  protected labels(): string[] {
    const factor = prefixOf(this.size(), this.given)[0];
    return tickLabels(this.places().map((value) => value / factor));
  }

  private grid(): void {
    const labels = this.labels();
    const { wide, high, range, axis, last } = this.frame;
    const grid = make("g", { class: "grid" }, this.plot);
    const { column, factor } = this.lines[0];
    const inside = { x: this.left, y: TOP, width: wide - this.left - RIGHT, height: high };
    if (column.limits) drawLimits(grid, column.limits, inside, (value) => this.y(value * factor));
    this.places().forEach((value, k) => {
      const y = this.y(value);
      make("line", { x1: this.left, x2: wide - RIGHT, y1: y, y2: y, class: value === 0 ? "zero" : "" }, grid);
      make("text", { x: this.left - 6, y: y + 4, "text-anchor": "end" }, grid).textContent = labels[k];
    });
    const times = ticks(...range, Math.max(wide / 90, 2), axis.unit);
    const names = tickLabels(times);
    const room = wide - RIGHT - LETTER * axis.label.length - 14; // the name of the axis stands at its end
    times.forEach((time, k) => {
      const x = this.across(time);
      make("line", { x1: x, x2: x, y1: TOP, y2: TOP + high }, grid);
      if (last && x + 0.5 * LETTER * names[k].length < room)
        make("text", { x, y: TOP + high + 16, "text-anchor": "middle" }, grid).textContent = names[k];
    });
    if (!last) return;
    const attributes = { x: wide - RIGHT, y: TOP + high + 16, "text-anchor": "end", class: "axis" };
    make("text", attributes, grid).textContent = axis.label;
  }

  private marks(): void {
    const { wide, high, range, axis, first } = this.frame;
    for (const event of this.events) {
      const at = axis.value(event.t);
      if (!(at >= range[0] && at <= range[1])) continue;
      const [x, stop] = [this.across(at), !event.passed];
      const mark = make("g", { class: stop ? "event stop" : "event" }, this.plot);
      make("line", { x1: x, x2: x, y1: TOP, y2: TOP + high }, mark);
      make("title", {}, mark).textContent = event.message;
      if (!first || !stop) continue;
      const side = x > wide / 2 ? { x: x - 5, "text-anchor": "end" } : { x: x + 5 };
      const { v } = this.lines[0].column;
      const above = this.y(v[v.length - 1]) < TOP + high / 2; // then the text stands low, beside the curve
      const text = make("text", { y: above ? TOP + high - 6 : TOP + 12, ...side }, mark);
      text.textContent = `stops at t = ${digits(event.t)}`;
    }
  }

  // Moves the cursor, and answers the values there.
  show(time: number): number[] {
    const { range, axis } = this.frame;
    const at = axis.value(time);
    const seen = at >= range[0] && at <= range[1];
    const x = this.across(at);
    this.cursor.style.display = seen ? "" : "none";
    if (seen) change(this.bar, { x1: x, x2: x });
    return this.lines.map(({ column, factor, dot }) => {
      const value = settled(column, valueAt(column, time)) * factor;
      const drawn = seen && Number.isFinite(value);
      dot.style.display = drawn ? "" : "none";
      if (drawn) change(dot, { cx: x, cy: this.y(value) });
      return value;
    });
  }

  // A second cursor that stays; null takes it away.
  pin(time: number | null): void {
    this.pinned?.remove();
    this.pinned = null;
    if (time === null) return;
    const x = this.across(this.frame.axis.value(time));
    this.pinned = make("line", { class: "pinned", x1: x, x2: x, y1: TOP, y2: TOP + this.frame.high }, this.plot);
  }

  // Enlarges the vertical axis about a place in pixels; a factor of 0 shows all again.
  zoom(factor: number, y: number): void {
    const [low, high] = this.scale;
    const fixed = low + (1 - (y - TOP) / this.frame.high) * (high - low);
    this.zoomed = factor ? [fixed - (fixed - low) / factor, fixed + (high - fixed) / factor] : null;
    this.measure(this.frame);
    this.draw(this.left);
  }

  // The value of the axis at a place in pixels.
  at(x: number): number {
    const part = (x - this.left) / (this.frame.wide - this.left - RIGHT);
    return this.frame.range[0] + Math.min(Math.max(part, 0), 1) * (this.frame.range[1] - this.frame.range[0]);
  }

  // The time whose place on a curve is nearest to a place in pixels.
  nearest(x: number, y: number): number {
    const { axis } = this.frame;
    const known = axis.time(this.at(x));
    if (known !== null) return known;
    let [best, found] = [Infinity, NaN];
    for (const time of sampleTimes(this.run, [-Infinity, Infinity])) {
      const across = this.across(axis.value(time)) - x;
      for (const { column, factor } of this.lines) {
        const far = across ** 2 + (0.5 * (this.y(valueAt(column, time) * factor) - y)) ** 2;
        if (far < best) [best, found] = [far, time];
      }
    }
    return found;
  }

  // The part of the chart between two places, while a range is being chosen; null when done.
  select(from: number | null, to = 0): void {
    this.plot.querySelector(".chosen")?.remove();
    if (from === null) return;
    const place = { x: Math.min(from, to), width: Math.abs(to - from), y: TOP, height: this.frame.high };
    make("rect", { class: "chosen", ...place }, this.plot);
  }

  private across(value: number): number {
    const { range, wide } = this.frame;
    return this.left + ((value - range[0]) / (range[1] - range[0] || 1)) * (wide - this.left - RIGHT);
  }

  private x(time: number): number {
    return this.across(this.frame.axis.value(time));
  }

  private y(value: number): number {
    return TOP + this.frame.high * (1 - (value - this.scale[0]) / (this.scale[1] - this.scale[0]));
  }

  private path({ column, factor }: Line): string {
    const { range, axis } = this.frame;
    if (axis.column) {
      const times = sampleTimes(this.run, [-Infinity, Infinity]);
      return line(times.map((time) => [this.x(time), this.y(valueAt(column, time) * factor)]));
    }
    const { t, v, slope, gaps } = column;
    const points: (number[] | null)[] = [];
    const seen = (t.length * (range[1] - range[0])) / (t[t.length - 1] - t[0] || 1);
    const parts = slope && seen < 600 ? 8 : 1;
    for (let k = 0; k < t.length; k++) {
      if ((t[k + 1] ?? t[k]) < range[0] || (t[k - 1] ?? t[k]) > range[1]) continue;
      points.push(Number.isFinite(v[k]) ? [this.x(t[k]), this.y(v[k] * factor)] : null);
      if (gaps.has(k)) points.push(null);
      for (let n = 1; n < parts && k + 1 < t.length; n++) {
        const value = between(column, k, n / parts) * factor;
        if (Number.isFinite(value)) points.push([this.x(t[k] + ((t[k + 1] - t[k]) * n) / parts), this.y(value)]);
      }
    }
    return line(points);
  }

  // Rows that no line touches: lines without length, whose round ends are dots.
  private dots({ column, factor }: Line): string {
    const { t, v } = column;
    let out = "";
    for (let k = 0; k < t.length; k++)
      if (isSingle(column, k)) out += `M${this.x(t[k]).toFixed(1)} ${this.y(v[k] * factor).toFixed(1)}h0`;
    return out;
  }
}
