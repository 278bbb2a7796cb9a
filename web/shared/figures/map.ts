// A map of a measure over two parameters: colours, lines of round values, a dot per design, and the model's point named.
// Between the designs the values are interpolated; a click shows the nearest design.
import { digits, tickLabels, ticks } from "../numbers";
import { change, make } from "../svg";
import { contour, type Grid, refined } from "./contours";
import { label, ramp } from "./data";
import { type DesignData, type DesignMap, nearestDesign } from "./designs";
import { keepSize } from "./size";

const [TOP, RIGHT, FOOT, LEFT] = [8, 62, 34, 48];
const FINE = 8; // parts of every cell

export class DesignContours {
  readonly element = document.createElement("figure");
  private svg = make("svg", { role: "img" });
  private readout = document.createElement("span");
  private wide = 0;
  private high = 0;
  private chosen = -1;
  private ring: SVGCircleElement | null = null;
  private grid: Grid | null;
  private spans: [number, number][];

  constructor(
    private data: DesignData,
    private map: DesignMap,
    private pick: (design: number) => void,
  ) {
    const [x, y, z] = this.axes();
    const others = (values: (number | null)[]): (number | null)[] => values.filter((_, k) => k !== data.model);
    this.grid = gridOf(others(x.values), others(y.values), others(z.values));
    this.spans = [x, y, z].map(({ values }) => {
      const known = values.filter((value): value is number => value !== null);
      return [Math.min(...known), Math.max(...known)];
    });
    this.element.className = "plot map";
    this.element.dataset.figure = z.label;
    const caption = document.createElement("figcaption");
    const name = document.createElement("b");
    name.textContent = label(z);
    this.readout.className = "readout";
    caption.append(name, this.readout);
    this.element.append(caption, this.svg);
    change(this.svg, { "aria-label": `${z.label} over ${x.label} and ${y.label}` });
    keepSize(this.element, () => this.measure());
    this.svg.addEventListener("click", (event) => this.pick(this.nearest(event)));
    this.svg.addEventListener("pointermove", (event) => this.point(event));
  }

  choose(design: number): void {
    this.chosen = design;
    this.mark();
  }

  private axes(): DesignData["axes"] {
    return [this.map.x, this.map.y, this.map.z].map((k) => this.data.axes[k]);
  }

  private measure(): void {
    const box = this.svg.getBoundingClientRect();
    if (box.width < 40 || (Math.abs(box.width - this.wide) < 1 && Math.abs(box.height - this.high) < 1)) return;
    [this.wide, this.high] = [box.width, box.height];
    this.draw();
  }

  private draw(): void {
    const { svg } = this;
    svg.replaceChildren();
    change(svg, { viewBox: `0 0 ${this.wide} ${this.high}` });
    if (this.grid) this.surface(refined(this.grid, FINE));
    else this.legend(...this.levels());
    this.grids();
    const [x, y] = this.axes();
    const dots = make("g", { class: "map-designs" }, svg);
    x.values.forEach((value, k) => {
      const other = y.values[k];
      if (value === null || other === null) return;
      const ran = this.axes()[2].values[k] !== null;
      const place = { cx: this.x(value), cy: this.y(other), r: this.grid && ran ? 2 : 5, class: ran ? "" : "lost" };
      const dot = make("circle", { ...place, "data-design": k }, dots);
      const [low, high] = this.spans[2];
      if (ran && !this.grid) dot.style.fill = ramp((this.axes()[2].values[k]! - low) / (high - low || 1));
      make("title", {}, dot).textContent =
        `${this.data.names[k]}${this.data.notes[k] ? `: ${this.data.notes[k]}` : ""}`;
    });
    const { model } = this.data;
    if (model !== null && x.values[model] !== null && y.values[model] !== null) {
      const [u, v] = [this.x(x.values[model]!), this.y(y.values[model]!)];
      const group = make("g", { class: "map-model" }, svg);
      make("circle", { cx: u, cy: v, r: 5 }, group);
      make("text", { x: u + 8, y: v + 4 }, group).textContent = "the model";
    }
    this.ring = make("circle", { class: "map-chosen", r: 8 }, svg);
    this.mark();
  }

  private surface(fine: Grid): void {
    const [low, high] = this.spans[2];
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [fine.x.length - 1, fine.y.length - 1];
    const paint = canvas.getContext("2d")!;
    for (let k = 0; k + 1 < fine.x.length; k++)
      for (let n = 0; n + 1 < fine.y.length; n++) {
        const value = (fine.z[k][n] + fine.z[k + 1][n + 1]) / 2;
        if (!Number.isFinite(value)) continue;
        paint.fillStyle = ramp(high > low ? (value - low) / (high - low) : 0.5);
        paint.fillRect(k, canvas.height - 1 - n, 1, 1);
      }
    const place = { x: LEFT, y: TOP, width: this.wide - LEFT - RIGHT, height: this.high - TOP - FOOT };
    make("image", { ...place, preserveAspectRatio: "none", href: canvas.toDataURL() }, this.svg);
    const lines = make("g", { class: "contours" }, this.svg);
    const [levels, names] = this.levels();
    const rows = this.grid!.y; // the dots of designs: numbers stand between them
    const half = Math.floor((rows.length - 1) / 2);
    const free = (rows[half] + (rows[half + 1] ?? rows[half])) / 2;
    levels.forEach((level, n) => {
      const pieces = contour(fine, level);
      const d = pieces.map(
        ([a, b, c, e]) =>
          `M${this.x(a).toFixed(1)} ${this.y(b).toFixed(1)}L${this.x(c).toFixed(1)} ${this.y(e).toFixed(1)}`,
      );
      make("path", { d: d.join("") }, lines);
      if (pieces.length < 2 * FINE) return; // too short for a number
      const far = ([, b]: number[]): number => Math.abs(b - free);
      const middle = pieces.reduce((best, piece) => (far(piece) < far(best) ? piece : best));
      make("text", { x: this.x(middle[0]), y: this.y(middle[1]) + 4, "text-anchor": "middle" }, lines).textContent =
        names[n];
    });
    this.legend(levels, names);
  }

  // Round values of the measure, in its unit.
  private levels(): [number[], string[]] {
    const levels = ticks(...this.spans[2], 7);
    return [levels, tickLabels(levels)];
  }

  private legend(levels: number[], names: string[]): void {
    const group = make("g", { class: "grid" }, this.svg);
    const [low, high] = this.spans[2];
    const [x, tall, parts] = [this.wide - RIGHT + 8, this.high - TOP - FOOT, 40];
    for (let k = 0; k < parts; k++) {
      const rect = make(
        "rect",
        { x, y: TOP + tall * (1 - (k + 1) / parts), width: 10, height: tall / parts + 0.5 },
        group,
      );
      rect.style.fill = ramp((k + 0.5) / parts);
    }
    levels.forEach((level, k) => {
      const y = TOP + tall * (1 - (level - low) / (high - low || 1));
      make("text", { x: x + 14, y: y + 4 }, group).textContent = names[k];
    });
  }

  private grids(): void {
    const grid = make("g", { class: "grid" }, this.svg);
    const [x, y] = this.axes();
    const bottom = this.high - FOOT;
    const across = ticks(...this.spans[0], Math.max((this.wide - LEFT - RIGHT) / 80, 2));
    tickLabels(across).forEach((text, k) => {
      const at = this.x(across[k]);
      make("line", { x1: at, x2: at, y1: bottom, y2: bottom + 4 }, grid);
      make("text", { x: at, y: bottom + 15, "text-anchor": "middle" }, grid).textContent = text;
    });
    const up = ticks(...this.spans[1], Math.max((bottom - TOP) / 50, 2));
    tickLabels(up).forEach((text, k) => {
      const at = this.y(up[k]);
      make("line", { x1: LEFT - 4, x2: LEFT, y1: at, y2: at }, grid);
      make("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, grid).textContent = text;
    });
    const middle = { x: (LEFT + this.wide - RIGHT) / 2, y: this.high - 5, "text-anchor": "middle" };
    make("text", middle, grid).textContent = label(x);
    const side = { x: 0, y: 0, transform: `translate(11 ${(TOP + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" };
    make("text", side, grid).textContent = label(y);
  }

  private mark(): void {
    const [x, y] = this.axes().map(({ values }) => values[this.chosen] ?? null);
    if (!this.ring) return;
    this.ring.style.display = x === null || y === null ? "none" : "";
    if (x !== null && y !== null) change(this.ring, { cx: this.x(x), cy: this.y(y) });
  }

  private nearest(event: MouseEvent): number {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = this.axes();
    const across = x.values.map((value) => (value === null ? null : this.x(value)));
    const down = y.values.map((value) => (value === null ? null : this.y(value)));
    return nearestDesign(across, down, [event.clientX - box.left, event.clientY - box.top]);
  }

  private point(event: MouseEvent): void {
    const design = this.nearest(event);
    if (design < 0) return;
    const words = this.axes().map(({ label: name, values }) => `${name} ${digits(values[design] ?? NaN, 3)}`);
    this.readout.textContent = `${this.data.names[design]}: ${words.join(", ")}`;
  }

  private x(value: number): number {
    const [low, high] = this.spans[0];
    return LEFT + ((value - low) / (high - low || 1)) * (this.wide - LEFT - RIGHT);
  }

  private y(value: number): number {
    const [low, high] = this.spans[1];
    return TOP + (1 - (value - low) / (high - low || 1)) * (this.high - TOP - FOOT);
  }
}

// The grid that designs stand on; none where they stand anywhere.
export function gridOf(x: (number | null)[], y: (number | null)[], z: (number | null)[]): Grid | null {
  const known = (values: (number | null)[]): number[] =>
    [...new Set(values.filter((value): value is number => value !== null))].sort((a, b) => a - b);
  const [across, up] = [known(x), known(y)];
  if (across.length < 2 || up.length < 2 || across.length * up.length > x.length + 1) return null;
  const grid = across.map(() => up.map(() => NaN));
  x.forEach((value, k) => {
    if (value !== null && y[k] !== null && z[k] !== null) grid[across.indexOf(value)][up.indexOf(y[k]!)] = z[k]!;
  });
  return { x: across, y: up, z: grid };
}
