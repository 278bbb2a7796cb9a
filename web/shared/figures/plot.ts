// A figure of a study, drawn as large as its place is. A cursor follows the clock where the curves do; hovering shows
// the values of all curves at a place, and a click goes to it.
import type { Clock } from "../clock";
import { digits, prefixOf, tickLabels, ticks } from "../numbers";
import { rowBefore } from "../rows";
import { change, line, make } from "../svg";
import { along, farLimits, type FigureCurve, type FigureData, heightOf, label, phase } from "./data";
import { keepSize } from "./size";

const [TOP, RIGHT, FOOT] = [8, 10, 32];
const NARROW = 230; // pixels: below them the values at the cursor take the place of the axis' name
const [LETTER, LEAST] = [6.6, 30]; // pixels of a digit; pixels for the numbers of the vertical axis

// The name of a curve with a piece of its line.
export function keyOf({ label: text, colour, dash }: FigureCurve): HTMLElement {
  const entry = document.createElement("span");
  entry.className = "key";
  entry.style.setProperty("--c", colour);
  if (dash) entry.dataset.dashed = "yes";
  entry.textContent = text;
  return entry;
}

export class Plot {
  readonly element = document.createElement("figure");
  private svg = make("svg", { role: "img" });
  private caption = document.createElement("figcaption");
  private readout = document.createElement("span");
  private wide = 0;
  private high = 0;
  private left = LEAST;
  private span: [number, number];
  private scale: [number, number];
  private factor: number;
  private unit: string;
  private cursor!: SVGGElement;
  private bar!: SVGLineElement;
  private moving: { curve: FigureCurve; path: SVGPathElement | null; dot: SVGCircleElement; row: number }[] = [];
  private hovered: number | null = null;
  private time = NaN;

  constructor(
    readonly data: FigureData,
    private clock: Clock,
    private pick: ((x: number) => void) | null = null,
    private keys = true, // whether it names its curves
  ) {
    const xs = data.curves.flatMap(({ x }) => [x[0], x[x.length - 1]]);
    for (const bar of data.bars ?? []) xs.push(bar.from, bar.to);
    for (const { x } of data.marks ?? []) if (data.bars) xs.push(x);
    const [from, to] = [Math.min(...xs), Math.max(...xs)];
    const room = data.bars || data.curves.some(({ points }) => points) ? 0.03 * (to - from) || 1 : 0;
    this.span = [from - room, to + room];
    this.scale = heightOf(data);
    [this.factor, this.unit] = prefixOf(Math.max(...this.scale.map(Math.abs)), data.y.unit);
    this.element.className = "plot";
    this.element.dataset.figure = data.name;
    if (data.part) this.element.dataset.part = data.part;
    this.head();
    this.element.append(this.caption, this.svg);
    change(this.svg, { "aria-label": this.words() });
    keepSize(this.element, () => this.measure());
    this.follow();
  }

  // The figure at a time: curves that have rows, and the cursor of those that go round in cycles.
  show(time: number): void {
    if (time === this.time || !this.wide) return;
    this.time = time;
    for (const one of this.moving) {
      const { rows, x } = one.curve;
      if (!rows || !one.path) continue;
      const row = rowBefore(rows.times, time);
      if (row !== one.row) change(one.path, { d: this.path(x, rows.values[row]) });
      one.row = row;
    }
    if (this.hovered === null) this.point(null);
  }

  private head(): void {
    const { title, curves } = this.data;
    const name = document.createElement("b");
    name.textContent = title;
    this.readout.className = "readout";
    const unit = Object.assign(document.createElement("small"), { textContent: this.unit ? `[${this.unit}]` : "" });
    name.append(" ", unit);
    this.caption.append(name);
    if (curves.length > 1 && this.keys) this.caption.append(...curves.map(keyOf));
    const far = farLimits(this.data, this.scale, this.factor);
    if (far)
      this.caption.append(Object.assign(document.createElement("span"), { className: "limit", textContent: far }));
    this.caption.append(this.readout);
  }

  // What a screen reader says of it: the range of every curve, and the limits.
  private words(): string {
    const { title, x, curves, limits } = this.data;
    const ranges = curves.map((curve) => {
      const all = [curve.y, curve.low, curve.high].flatMap((values) => values ?? []).filter((v) => v !== null);
      const ends = all.length ? [Math.min(...all), Math.max(...all)] : this.scale;
      const text = ends.map((value) => digits(value / this.factor)).join(" to ");
      return `${curve.label || title} ${text}${this.unit ? ` ${this.unit}` : ""}`;
    });
    const bounds = (limits ?? []).map((limit) => `${limit.label} ${digits(limit.value / this.factor)}`);
    return `${title} over ${x.label}: ${[...ranges, ...bounds].join("; ")}`;
  }

  private measure(): void {
    const box = this.svg.getBoundingClientRect();
    if (box.width < 20 || box.height < 20) return;
    if (Math.abs(box.width - this.wide) < 1 && Math.abs(box.height - this.high) < 1) return;
    [this.wide, this.high] = [box.width, box.height];
    this.draw();
  }

  private draw(): void {
    const { svg, data } = this;
    svg.replaceChildren();
    change(svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    const places = ticks(
      this.scale[0] / this.factor,
      this.scale[1] / this.factor,
      Math.min(Math.max(this.high / 34, 2), 6),
    );
    const names = tickLabels(places);
    this.left = data.bars ? 10 : Math.max(LEAST, LETTER * Math.max(...names.map((text) => text.length)) + 10);
    const grid = make("g", { class: "grid" }, svg);
    this.grid(grid, data.bars ? [] : places, names);
    this.limits(grid);
    const inner = make("svg", { x: this.left, y: TOP, width: this.width, height: this.tall }, svg);
    change(inner, { viewBox: `${this.left} ${TOP} ${this.width} ${this.tall}` });
    this.bars(inner);
    this.band(inner);
    this.moving = data.curves.map((curve) => this.curve(inner, curve));
    this.cursor = make("g", { class: "cursor" }, svg);
    this.bar = make("line", { y1: TOP, y2: TOP + this.tall }, this.cursor);
    for (const { dot } of this.moving) this.cursor.append(dot);
    this.time = NaN;
    this.show(this.clock.time);
  }

  private grid(grid: SVGGElement, places: number[], names: string[]): void {
    const { x, ends } = this.data;
    places.forEach((value, k) => {
      const y = this.y(value * this.factor);
      make("line", { x1: this.left, x2: this.wide - RIGHT, y1: y, y2: y, class: value === 0 ? "zero" : "" }, grid);
      make("text", { x: this.left - 5, y: y + 4, "text-anchor": "end" }, grid).textContent = names[k];
    });
    const across = ticks(...this.span, Math.max(this.width / 70, 2));
    tickLabels(across).forEach((text, k) => {
      const at = this.x(across[k]);
      make("line", { x1: at, x2: at, y1: TOP, y2: TOP + this.tall }, grid);
      make("text", { x: at, y: TOP + this.tall + 13, "text-anchor": "middle" }, grid).textContent = text;
    });
    if (this.wide > NARROW || !this.data.curves.some(({ cycles }) => cycles))
      make("text", { x: this.left, y: this.high - 4, class: "axis" }, grid).textContent = label(x);
    if (!ends) return;
    const at = { x: this.wide - RIGHT - 3, "text-anchor": "end", class: "end" };
    make("text", { ...at, y: TOP + 11 }, grid).textContent = `${ends[1]} ↑`;
    make("text", { ...at, y: TOP + this.tall - 4 }, grid).textContent = `${ends[0]} ↓`;
  }

  // Lines that must not be passed.
  private limits(grid: SVGGElement): void {
    for (const { value, label: text } of this.data.limits ?? []) {
      if (value < this.scale[0] || value > this.scale[1]) continue;
      const y = this.y(value);
      make("line", { class: "limit", x1: this.left, x2: this.wide - RIGHT, y1: y, y2: y }, grid);
      const words = `${text} ${digits(value / this.factor)} ${this.unit}`;
      const below = y - 4 > TOP + 8;
      make("text", { class: "limit", x: this.left + 4, y: below ? y - 4 : y + 12 }, grid).textContent = words.trim();
    }
    for (const [k, { x, label: text, colour }] of (this.data.marks ?? []).entries()) {
      const mark = make("g", { class: "mark" }, grid);
      if (colour) mark.style.setProperty("--c", colour);
      make("line", { x1: this.x(x), x2: this.x(x), y1: TOP, y2: TOP + this.tall }, mark);
      make("title", {}, mark).textContent = text;
      const side = this.x(x) > this.left + 0.6 * this.width ? "end" : "start";
      const place = { x: this.x(x) + (side === "end" ? -4 : 4), y: TOP + 11 + 13 * (k % 3), "text-anchor": side };
      if (this.data.bars || this.data.curves.some(({ points }) => points)) make("text", place, mark).textContent = text;
    }
  }

  // What others measured, behind the curves.
  private band(inner: SVGSVGElement): void {
    const { band, curves } = this.data;
    if (!band) return;
    const area = make("path", { class: "normative", d: this.area(curves[0].x, band.low, band.high) }, inner);
    make("title", {}, area).textContent = band.source;
  }

  private area(x: number[], low: (number | null)[], high: (number | null)[]): string {
    return `${this.path(x, low)}${this.path([...x].reverse(), [...high].reverse()).replace(/M/g, "L")}Z`;
  }

  private bars(inner: SVGSVGElement): void {
    for (const { from, to, high } of this.data.bars ?? []) {
      const [x, y] = [this.x(from), this.y(high)];
      make("rect", { class: "bin", x, y, width: Math.max(this.x(to) - x - 0.5, 0.5), height: this.y(0) - y }, inner);
    }
  }

  private curve(inner: SVGSVGElement, curve: FigureCurve): Plot["moving"][number] {
    const group = make("g", { class: "curve", "data-curve": curve.label }, inner);
    group.style.setProperty("--c", curve.colour);
    if (curve.low && curve.high) {
      make("path", { class: "spread", d: this.area(curve.x, curve.low, curve.high) }, group);
    }
    const path = curve.y || curve.rows ? make("path", { class: "line" }, group) : null;
    if (path && curve.dash) path.style.strokeDasharray = curve.dash;
    if (path && curve.y) change(path, { d: this.path(curve.x, curve.y) });
    if (curve.points)
      curve.x.forEach((x, k) => {
        const y = curve.y![k];
        if (y !== null) make("circle", { class: "place", cx: this.x(x), cy: this.y(y), r: 3.2 }, group);
      });
    const dot = make("circle", { r: 3.2 });
    dot.style.setProperty("--c", curve.colour);
    return { curve, path, dot, row: -1 };
  }

  private path(x: number[], y: (number | null)[]): string {
    return line(x.map((at, k) => (y[k] === null ? null : [this.x(at), this.y(y[k]!)])));
  }

  // Cursor and values at a place, or at the time of the clock.
  private point(at: number | null): void {
    const shown: string[] = [];
    let seen: number | null = at;
    for (const { curve, dot, row } of this.moving) {
      const round = at === null && curve.cycles ? phase(curve.cycles, this.time) : null;
      const ends = [curve.x[0], curve.x[curve.x.length - 1]];
      const x = at ?? (round ? ends[0] + round.part * (ends[1] - ends[0]) : NaN);
      const y = along(curve.x, curve.rows && row >= 0 ? curve.rows.values[row] : (curve.y ?? []), x);
      dot.style.display = Number.isFinite(y) ? "" : "none";
      if (!Number.isFinite(y)) continue;
      seen ??= x;
      change(dot, { cx: this.x(x), cy: this.y(y) });
      shown.push(digits(y / this.factor, 3));
    }
    this.bar.style.display = seen === null || (at === null && shown.length > 1) ? "none" : "";
    if (seen !== null) change(this.bar, { x1: this.x(seen), x2: this.x(seen) });
    const words = shown.length ? `${shown.join(" · ")}${at === null ? "" : ` at ${digits(at, 3)}`}` : "";
    if (words !== this.readout.textContent) this.readout.textContent = words;
  }

  private follow(): void {
    const place = (event: MouseEvent): number => {
      const box = this.svg.getBoundingClientRect();
      const part = (event.clientX - box.left - this.left) / this.width;
      return this.span[0] + Math.min(Math.max(part, 0), 1) * (this.span[1] - this.span[0]);
    };
    this.svg.addEventListener("pointermove", (event) => {
      this.hovered = place(event);
      if (this.wide) this.point(this.hovered);
    });
    this.svg.addEventListener("pointerleave", () => {
      this.hovered = null;
      if (this.wide) this.point(null);
    });
    this.svg.addEventListener("click", (event) => this.go(place(event)));
  }

  // To the time of a place in the cycle that is shown, or in the first one; else whoever listens decides.
  private go(x: number): void {
    if (this.pick) return this.pick(x);
    const round = this.data.curves.find(({ cycles }) => cycles?.length);
    if (!round) return;
    const now = phase(round.cycles!, this.clock.time)?.cycle ?? 0;
    const [from, to] = round.cycles![now];
    const ends = [round.x[0], round.x[round.x.length - 1]];
    this.clock.pause();
    this.clock.set(from + ((x - ends[0]) / (ends[1] - ends[0])) * (to - from));
  }

  private get width(): number {
    return Math.max(this.wide - this.left - RIGHT, 10);
  }

  private get tall(): number {
    return Math.max(this.high - TOP - FOOT, 10);
  }

  private x(value: number): number {
    return this.left + ((value - this.span[0]) / (this.span[1] - this.span[0] || 1)) * this.width;
  }

  private y(value: number): number {
    return TOP + (1 - (value - this.scale[0]) / (this.scale[1] - this.scale[0])) * this.tall;
  }
}
