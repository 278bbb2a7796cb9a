// How much of what is allowed each link and pin uses at a time: links take the colour, pins get a ring of it.
import { valueAt } from "../charts/values";
import type { Column, Run, Scene } from "../data";
import { judged } from "../figures/data";
import { place, type Poses } from "../motion";
import { digits } from "../numbers";
import { change, make } from "../svg";
import type { Placed } from "../viewer";
import type { Strokes } from "./strokes";

const HIGH = 34; // pixels of the legend

interface Used {
  name: string;
  column: Column;
  limit: number;
}
interface Pin extends Used {
  body: string;
  at: number[];
  ring: SVGCircleElement;
}

export class Utilisation {
  readonly any: boolean;
  on = true;
  private links: Used[] = [];
  private pins: Pin[] = [];
  private layer: SVGGElement;
  private legend: SVGGElement;
  private painted = false;

  constructor(
    svg: SVGSVGElement,
    scene: Scene,
    run: Run,
    private strokes: Strokes,
  ) {
    const known = new Map(run.columns.map((column) => [column.name, column]));
    this.layer = make("g", { class: "used" }, svg);
    for (const { kind, name, column, limit } of scene.used ?? []) {
      const values = known.get(column);
      if (!values) continue;
      const joint = scene.joints.find((one) => one.name === name);
      if (kind === "body") this.links.push({ name, column: values, limit });
      else if (joint) {
        const ring = make("circle", { class: "pin-use", r: 8, "data-joint": name }, this.layer);
        this.pins.push({ name, column: values, limit, body: joint.body, at: joint.at, ring });
      }
    }
    this.any = this.links.length + this.pins.length > 0;
    this.legend = make("g", { class: "use-scale", display: "none" }, svg);
    this.describe();
  }

  // Pixels over the scale of the drawing that its colours take.
  get height(): number {
    return this.on && this.any ? HIGH : 0;
  }

  show(poses: Poses, time: number, pixel: (at: number[]) => Placed, high: number): void {
    const on = this.on && this.any;
    if (!on && !this.painted) return;
    this.painted = on;
    for (const part of [this.layer, this.legend]) change(part, { display: on ? "inline" : "none" });
    for (const { name, column, limit } of this.links) {
      const use = valueAt(column, time) / limit;
      this.strokes.paint(
        name,
        on ? judged(use) : null,
        on ? `${name}: ${digits(100 * use, 3)} % of what is allowed` : "",
      );
    }
    if (!on) return;
    for (const { name, column, limit, body, at, ring } of this.pins) {
      const here = place(poses, body, at);
      ring.style.display = here ? "" : "none";
      if (!here) continue;
      const use = valueAt(column, time) / limit;
      const { x, y } = pixel(here);
      change(ring, { cx: x.toFixed(1), cy: y.toFixed(1), "data-use": use.toFixed(4) });
      ring.style.stroke = judged(use);
      ring.dataset.joint = name;
    }
    change(this.legend, { transform: `translate(14 ${high - 28 - HIGH})` });
  }

  private describe(): void {
    const [wide, parts] = [120, 24];
    for (let k = 0; k < parts; k++) {
      const rect = make("rect", { x: (k * wide) / parts, width: wide / parts + 0.5, height: 7 }, this.legend);
      rect.style.fill = judged((k + 0.5) / parts);
    }
    const over = make("rect", { x: wide + 3, width: 14, height: 7 }, this.legend);
    over.style.fill = judged(2);
    for (const [x, text] of [
      [0, "0"],
      [wide - 22, "100 %"],
      [wide + 24, "of what is allowed"],
    ] as const)
      make("text", { x, y: x > wide ? 8 : 19 }, this.legend).textContent = text;
  }
}
