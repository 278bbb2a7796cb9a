// A chart around a circle: columns as distances from its middle, the angle they are drawn over as the direction, from the
// right and counter-clockwise. A middle that is not zero is named.
import { conversion, digits, ticks } from "../numbers";
import { change, line, make } from "../svg";
import { sampleTimes } from "./axis";
import { Chart } from "./chart";
import type { Line } from "./lines";
import { settled, valueAt } from "./values";

const [TOP, AROUND] = [8, 20]; // pixels above, and around the circle for its degrees
const SPOKES = 12;

export class PolarChart extends Chart {
  private middle = { x: 0, y: 0, radius: 1 };
  private samples: number[] = [];

  draw(left: number): void {
    this.left = left;
    const { wide, high, axis } = this.frame;
    const whole = high + TOP + AROUND;
    this.plot.replaceChildren();
    const names = this.lines.map(({ column }) => column.name).join(", ");
    const label = `${names} around ${axis.column!.name}`;
    change(this.plot, { viewBox: `0 0 ${wide} ${whole}`, height: whole, "aria-label": label });
    this.scale = [Math.min(this.scale[0] < 0 ? this.scale[0] : 0, 0), this.scale[1]];
    const radius = Math.max((high - AROUND) / 2, 20);
    this.middle = { x: wide / 2, y: TOP + AROUND / 2 + radius, radius };
    this.samples = sampleTimes(this.run, [-Infinity, Infinity]);
    this.circles();
    for (const one of this.lines) {
      const places = this.samples.map((time) => this.place(one, time));
      const path = make("path", { class: "line", d: line(places) }, this.plot);
      path.style.setProperty("--c", one.colour);
      if (one.dash) path.style.strokeDasharray = one.dash;
    }
    this.cursor = make("g", { class: "cursor" }, this.plot);
    this.pinned = null;
    this.bar = make("line", { x1: this.middle.x, y1: this.middle.y }, this.cursor);
    for (const { dot } of this.lines) this.cursor.append(dot);
  }

  show(time: number): number[] {
    const rim = this.point(this.middle.radius, this.angle(time));
    change(this.bar, { x2: rim[0], y2: rim[1] });
    return this.lines.map((one) => {
      const place = this.place(one, time);
      one.dot.style.display = place ? "" : "none";
      if (place) change(one.dot, { cx: place[0], cy: place[1] });
      return settled(one.column, valueAt(one.column, time)) * one.factor;
    });
  }

  pin(time: number | null): void {
    this.pinned?.remove();
    this.pinned = null;
    if (time === null) return;
    const { x, y, radius } = this.middle;
    const [x2, y2] = this.point(radius, this.angle(time));
    this.pinned = make("line", { class: "pinned", x1: x, y1: y, x2, y2 }, this.plot);
  }

  nearest(x: number, y: number): number {
    let [best, found] = [Infinity, NaN];
    for (const time of this.samples)
      for (const one of this.lines) {
        const place = this.place(one, time);
        const far = place ? Math.hypot(place[0] - x, place[1] - y) : Infinity;
        if (far < best) [best, found] = [far, time];
      }
    return found;
  }

  select(): void {} // there is no range to enlarge

  // Circles of round values with their numbers, and spokes with their degrees.
  private circles(): void {
    const grid = make("g", { class: "grid" }, this.plot);
    const { x, y, radius } = this.middle;
    const labels = this.labels();
    for (let k = 0; k < SPOKES; k++) {
      const turn = (2 * Math.PI * k) / SPOKES;
      const [ex, ey] = this.point(radius, turn);
      make("line", { x1: x, y1: y, x2: ex, y2: ey }, grid);
      if (k % 3) continue;
      const [tx, ty] = this.point(radius + 6, turn);
      const anchor = k === 0 ? "start" : k === 6 ? "end" : "middle";
      const name = make("text", { x: tx, y: ty + (k === 9 ? 10 : k === 3 ? 0 : 4), "text-anchor": anchor }, grid);
      name.textContent = `${k * (360 / SPOKES)}°`;
    }
    make("circle", { class: "rim", cx: x, cy: y, r: radius }, grid);
    this.places().forEach((value, k) => {
      const r = this.radius(value);
      if (r < 1 || r > radius) return;
      make("circle", { cx: x, cy: y, r, class: value === 0 ? "zero" : "" }, grid);
      const [tx, ty] = this.point(r, Math.PI / 12);
      make("text", { x: tx, y: ty + 4, "text-anchor": "middle", class: "ring-value" }, grid).textContent = labels[k];
    });
    if (this.scale[0] < 0)
      make("text", { x: x + 4, y: y + 12 }, grid).textContent = `middle ${digits(this.scale[0], 3)}`;
  }

  protected places(): number[] {
    return ticks(this.scale[0], this.scale[1], Math.min(Math.max(this.frame.high / 60, 2), 5), this.given);
  }

  private angle(time: number): number {
    const { axis } = this.frame;
    return axis.value(time) * conversion(axis.unit, "rad");
  }

  private radius(value: number): number {
    return (this.middle.radius * (value - this.scale[0])) / (this.scale[1] - this.scale[0] || 1);
  }

  private place({ column, factor }: Line, time: number): number[] | null {
    const value = valueAt(column, time) * factor;
    return Number.isFinite(value) ? this.point(this.radius(value), this.angle(time)) : null;
  }

  private point(r: number, turn: number): [number, number] {
    return [this.middle.x + r * Math.cos(turn), this.middle.y - r * Math.sin(turn)];
  }
}
