// Parallel coordinates: a line per design across an axis per parameter and measure. Dragging along an axis brushes a
// range, others fade; a click on a name colours by it; a click on a line shows the design. A number that a design has not
// leaves its axis out of the line; a design without any measure did not run and has none.
import { digits, tickLabels, ticks } from "../numbers";
import { change, line, make } from "../svg";
import { ramp } from "./data";
import { type DesignAxis, type DesignData, linesOf, ran, shares, within } from "./designs";
import { keepSize } from "./size";

const [HEAD, FOOT, SIDE] = [15, 16, 46]; // pixels of a line of names, below the axes and beside them
const [LEAST, MOST] = [0.12, 0.9]; // how opaque a line is: the more there are, the less
const NEAR = 9; // pixels
const LETTER = 7; // pixels of a letter

export class Parallel {
  readonly element = document.createElement("figure");
  private svg = make("svg", { role: "group", "aria-label": "parallel coordinates" });
  private caption = document.createElement("figcaption");
  private readout = document.createElement("span");
  private bar = document.createElement("span");
  private wide = 0;
  private high = 0;
  private ranges: ([number, number] | null)[];
  private coloured: number;
  private chosen = -1;
  private lines: (SVGPathElement | null)[] = [];
  private places: number[][];
  private ends: [number, number][];
  private rows: number[] = []; // the line on which the name of each axis stands
  private top = 40; // pixels above the axes

  constructor(
    private data: DesignData,
    private pick: (design: number) => void,
  ) {
    this.places = data.axes.map(({ values }) => shares(values));
    this.ends = data.axes.map(({ values }) => {
      const known = values.filter((value): value is number => value !== null);
      return [Math.min(...known), Math.max(...known)];
    });
    this.ranges = data.axes.map(() => null);
    const varies = this.ends.map(([low, high]) => high > low);
    this.coloured = varies.includes(true) ? varies.lastIndexOf(true) : data.axes.length - 1;
    this.element.className = "plot parallel";
    this.bar.className = "colour-bar";
    this.readout.className = "readout";
    this.caption.append(this.bar, this.readout);
    this.element.append(this.caption, this.svg);
    keepSize(this.element, () => this.measure());
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("click", (event) => {
      const design = this.nearest(event);
      if (design >= 0) this.pick(design);
    });
  }

  choose(design: number): void {
    this.chosen = design;
    this.light();
  }

  private measure(): void {
    const box = this.svg.getBoundingClientRect();
    if (box.width < 40 || (Math.abs(box.width - this.wide) < 1 && Math.abs(box.height - this.high) < 1)) return;
    [this.wide, this.high] = [box.width, box.height];
    this.draw();
  }

  private draw(): void {
    const { svg, data } = this;
    svg.replaceChildren();
    this.layNames();
    change(svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    const many = make("g", { class: "designs" }, svg);
    this.lines = data.names.map((name, design) => {
      const points = this.places
        .map((part, k) => [this.x(k), this.y(part[design])])
        .filter(([, y]) => Number.isFinite(y));
      if (points.length < Math.min(2, data.axes.length) || !ran(data.axes, design)) return null;
      const path = make("path", { class: "design", d: line(points), "data-design": design }, many);
      make("title", {}, path).textContent = name;
      return path;
    });
    data.axes.forEach((axis, k) => this.axis(axis, k));
    this.light();
  }

  private axis(axis: DesignAxis, k: number): void {
    const group = make("g", { class: `axis-line${axis.measure ? " measure" : ""}` }, this.svg);
    const [x, bottom] = [this.x(k), this.high - FOOT];
    make("line", { x1: x, x2: x, y1: this.top, y2: bottom }, group);
    const [low, high] = this.ends[k];
    const [factor, unit] = [1, axis.unit];
    const places = high > low ? ticks(low, high, Math.max((bottom - this.top) / 60, 2)) : [low];
    const names = tickLabels(places.map((value) => value / factor));
    places.forEach((value, n) => {
      const y = this.y(high > low ? (value - low) / (high - low) : 0.5);
      make("line", { class: "tick", x1: x - 4, x2: x, y1: y, y2: y }, group);
      make("text", { class: "tick", x: x - 6, y: y + 4, "text-anchor": "end" }, group).textContent = names[n];
    });
    const text = unit ? `${axis.label} [${unit}]` : axis.label;
    const place = { x, y: HEAD * this.rows[k] + 13, "text-anchor": this.anchor(k) };
    const title = make("text", { class: "title", role: "button", ...place }, group);
    title.textContent = text;
    change(title, { tabindex: 0, "aria-label": `colour by ${axis.label}` });
    const colour = (): void => {
      this.coloured = k;
      this.light();
    };
    title.addEventListener("click", (event) => {
      event.stopPropagation();
      colour();
    });
    title.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      colour();
    });
    this.brush(group, k);
  }

  // Gives the name of every axis the first line on which it does not touch the one before.
  private layNames(): void {
    const spans = this.data.axes.map(({ label, unit }, k): [number, number] => {
      const long = LETTER * (label.length + (unit ? unit.length + 3 : 0));
      const before = { start: 0, middle: 0.5, end: 1 }[this.anchor(k)];
      return [this.x(k) - before * long, this.x(k) + (1 - before) * long];
    });
    this.rows = linesOf(spans);
    this.top = HEAD * (Math.max(...this.rows) + 1) + 10;
  }

  private anchor(k: number): "start" | "middle" | "end" {
    return k === 0 ? "start" : k === this.data.axes.length - 1 ? "end" : "middle";
  }

  // A range of an axis, by dragging along it or by keys: up and down move its lower end, with Shift its upper one.
  private brush(group: SVGGElement, k: number): void {
    const [low, high] = this.ends[k];
    const x = this.x(k);
    const hold = { class: "brush", x: x - 12, y: this.top - 4, width: 24, height: this.high - FOOT - this.top + 8 };
    const area = make("rect", hold, group);
    const range = make("rect", { class: "range", x: x - 6, width: 12 }, group);
    change(area, { tabindex: 0, role: "slider", "aria-label": `range of ${this.data.axes[k].label}` });
    change(area, { "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": low });
    const value = (event: MouseEvent): number => {
      const box = this.svg.getBoundingClientRect();
      const part = 1 - (event.clientY - box.top - this.top) / (this.high - FOOT - this.top);
      return low + Math.min(Math.max(part, 0), 1) * (high - low);
    };
    const set = (ends: [number, number] | null): void => {
      this.ranges[k] = ends && ends[1] - ends[0] < 0.999 * (high - low) ? ends : null;
      const shown = this.ranges[k];
      range.style.display = shown ? "" : "none";
      if (shown) {
        const [top, bottom] = [shown[1], shown[0]].map((at) => this.y((at - low) / (high - low)));
        change(range, { y: top, height: Math.max(bottom - top, 2) });
      }
      const words = shown ? shown.map((at) => digits(at)).join(" to ") : "all";
      change(area, { "aria-valuetext": words, "aria-valuenow": shown ? shown[0] : low });
      this.light();
    };
    set(this.ranges[k]);
    // parts of a drawing have no touch-action of their own: the page would scroll under the finger
    area.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    area.addEventListener("pointerdown", (down) => {
      const from = value(down);
      const move = (event: PointerEvent): void => {
        const to = value(event);
        set([Math.min(from, to), Math.max(from, to)]);
      };
      area.setPointerCapture(down.pointerId);
      area.addEventListener("pointermove", move);
      const end = (event: PointerEvent): void => {
        area.removeEventListener("pointermove", move);
        if (Math.abs(value(event) - from) < 0.01 * (high - low)) set(null); // a click clears it
      };
      area.addEventListener("lostpointercapture", end, { once: true });
    });
    area.addEventListener("click", (event) => event.stopPropagation());
    area.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 0.05, ArrowDown: -0.05 }[event.key];
      if (event.key === "Escape") set(null);
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const ends = [...(this.ranges[k] ?? [low, high])] as [number, number];
      const side = event.shiftKey ? 1 : 0;
      ends[side] = Math.min(Math.max(ends[side] + step * (high - low), low), high);
      if (ends[0] < ends[1]) set(ends);
    });
  }

  private light(): void {
    const inside = within(this.data.axes, this.ranges);
    const shade = Math.max(LEAST, Math.min(MOST, 60 / Math.max(inside.filter(Boolean).length, 1)));
    const part = this.places[this.coloured];
    this.lines.forEach((path, design) => {
      if (!path) return;
      const chosen = design === this.chosen;
      path.style.stroke = Number.isFinite(part[design]) ? ramp(part[design]) : "var(--quiet)";
      path.style.opacity = String(chosen ? 1 : inside[design] ? shade : 0.04);
      path.classList.toggle("chosen", chosen);
      path.classList.toggle("model", design === this.data.model);
      if (chosen || design === this.data.model) path.parentElement!.append(path);
    });
    const axis = this.data.axes[this.coloured];
    const [low, high] = this.ends[this.coloured];
    const stops = Array.from({ length: 9 }, (_, k) => ramp(k / 8)).join(",");
    this.bar.innerHTML = "";
    const scale = document.createElement("i");
    scale.style.background = `linear-gradient(to right, ${stops})`;
    this.bar.append(digits(low), scale, `${digits(high)}${axis.unit ? ` ${axis.unit}` : ""}  ${axis.label}`);
    const count = inside.filter(Boolean).length;
    this.element.dataset.inside = String(count);
    if (count < inside.length) this.readout.textContent = `${count} of ${inside.length} within the ranges`;
  }

  private nearest(event: MouseEvent): number {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const inside = within(this.data.axes, this.ranges);
    let [best, found] = [NEAR, -1];
    const step = (this.wide - 2 * SIDE) / Math.max(this.data.axes.length - 1, 1);
    const k = Math.min(Math.max(Math.floor((x - SIDE) / step), 0), Math.max(this.data.axes.length - 2, 0));
    const u = (x - this.x(k)) / step;
    this.lines.forEach((path, design) => {
      if (!path || !inside[design]) return;
      const [a, b] = [this.y(this.places[k][design]), this.y(this.places[k + 1]?.[design] ?? this.places[k][design])];
      const far = Math.abs(a + u * (b - a) - y);
      if (far < best) [best, found] = [far, design];
    });
    return found;
  }

  private point(event: MouseEvent): void {
    const design = this.nearest(event);
    this.lines.forEach((path, k) => path?.classList.toggle("hovered", k === design));
    if (design < 0) return;
    const words = this.data.axes.map(({ label, values }) => `${label} ${digits(values[design] ?? NaN, 3)}`);
    this.readout.textContent = `${this.data.names[design]}: ${words.join(", ")}`;
  }

  private x(k: number): number {
    return SIDE + ((this.wide - 2 * SIDE) * k) / Math.max(this.data.axes.length - 1, 1);
  }

  private y(part: number): number {
    return this.top + (1 - part) * (this.high - FOOT - this.top);
  }
}
