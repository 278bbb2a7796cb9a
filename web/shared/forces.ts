// Arrows of forces: which of them are seen, the values beside them, and their scale, laid out in the corner.
import { valueAt } from "./charts/values";
import type { Column, Reach, Run, Scene } from "./data";
import { overlap } from "./labels";
import { type Motion, place, type Poses } from "./motion";
import { quantity } from "./numbers";
import type { Part } from "./store";
import { change, make } from "./svg";
import type { Placed } from "./viewer";

const LINE = 17; // pixels
const [LEFT, TOP, TICK] = [14, 18, 4];
const LETTER = 6.8; // pixels of a digit
const LARGEST = 6; // reactions that are seen where nothing is selected

// The name that shaft, head and both senses of one arrow share.
export function baseName(frame: string): string {
  return frame.replace(/ (head|left|right)$/, "");
}

// The arrows to show: those of what is selected, else the largest reactions of the run, and all loads.
export function seenArrows(scene: Scene, run: Run, selected: Part | null): Set<string> {
  const names = [...new Set(scene.reaches.filter((reach) => reach.to_scale).map(({ name }) => baseName(name)))];
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const joint = selected?.name.split(".on_")[0];
  const own = names.filter((name) => {
    const acting = /^reaction (.+)\.on_(.+)$/.exec(name);
    const between = acting && scene.joints.find((one) => one.name === acting[1])?.between;
    if (selected?.kind === "body")
      return acting
        ? between?.includes(selected.name)
        : name.endsWith(` ${selected.name}`) || name.startsWith(`bending ${selected.name} `);
    return acting !== null && acting[1] === joint;
  });
  if (selected && own.length) return new Set(own);
  if (scene.walk) return new Set(); // the forces of the ground are drawn by themselves
  const size = (name: string): number => {
    const values = known.get(`${name.replace("reaction ", "")}.f`)?.v;
    return values ? values.reduce((most, value) => (value > most ? value : most), 0) : 0;
  };
  const reactions = names.filter((name) => name.startsWith("reaction ")).sort((a, b) => size(b) - size(a));
  return new Set([...names.filter((name) => !name.startsWith("reaction ")), ...reactions.slice(0, LARGEST)]);
}

// Values of reactions beside the tips of their arrows.
export class ForceValues {
  on = true;
  readonly boxes: number[][] = []; // left, top, right, bottom of what is shown
  private entries: { name: string; shaft: Reach; head: Reach | undefined; column: Column; text: SVGTextElement }[] = [];

  constructor(
    private layer: SVGGElement,
    scene: Scene,
    run: Run,
    private motion: Motion,
  ) {
    this.load(scene, run, motion);
  }

  load(scene: Scene, run: Run, motion: Motion): void {
    this.motion = motion;
    this.layer.replaceChildren();
    const known = new Map(run.columns.map((column) => [column.name, column]));
    const reaches = new Map(scene.reaches.map((reach) => [reach.name, reach]));
    this.entries = scene.reaches.flatMap((shaft) => {
      const column = known.get(`${shaft.name.replace("reaction ", "")}.f`);
      if (!shaft.to_scale || !column || shaft.name.endsWith(" head")) return [];
      const text = make(
        "text",
        { class: "force-value", "data-force": shaft.name.replace("reaction ", "") },
        this.layer,
      );
      return [{ name: shaft.name, shaft, head: reaches.get(`${shaft.name} head`), column, text }];
    });
  }

  // `wide`: pixels that they stay in, clear of the boxes `kept`; of two that would cover each other the second is left out.
  show(
    poses: Poses,
    time: number,
    seen: Set<string> | null,
    pixel: (at: number[]) => Placed,
    wide = Infinity,
    kept: readonly number[][] = [],
  ): void {
    this.boxes.length = 0;
    change(this.layer, { display: this.on ? "inline" : "none" });
    if (!this.on) return;
    for (const { name, shaft, head, column, text } of this.entries) {
      const tip = head ? this.end(head, poses, time) : this.end(shaft, poses, time);
      const from = place(poses, shaft.first.body, shaft.first.at);
      const value = valueAt(column, time);
      const hidden = !tip || !from || !Number.isFinite(value) || (seen && !seen.has(name));
      text.style.display = hidden ? "none" : "";
      if (hidden) continue;
      const [a, b] = [pixel(from), pixel(tip)];
      const long = Math.hypot(b.x - a.x, b.y - a.y);
      text.style.display = long < 18 ? "none" : ""; // an arrow too short to be seen has no number
      const [ux, uy] = long ? [(b.x - a.x) / long, (b.y - a.y) / long] : [1, 0];
      const anchor = Math.abs(ux) < 0.35 ? "middle" : ux > 0 ? "start" : "end";
      const words = quantity(value, column.unit, 3);
      const room = LETTER * words.length;
      const before = anchor === "start" ? 0 : anchor === "end" ? room : room / 2; // pixels left of its place
      const left = Math.min(Math.max(b.x + 8 * ux - before, 4), wide - room - 4);
      const y = b.y + 10 * uy + 4;
      const box = [left, y - 11, left + room, y + 3];
      if ([...this.boxes, ...kept].some((other) => overlap(box, other))) text.style.display = "none";
      else if (long >= 18) this.boxes.push(box);
      change(text, { x: left + before, y, "text-anchor": anchor });
      if (text.textContent !== words) text.textContent = words;
    }
  }

  private end(reach: Reach, poses: Poses, time: number): number[] | null {
    const begin = this.motion.begin(reach, poses, time);
    const along = this.motion.along(reach, poses, time);
    return begin && along && begin.map((x, k) => x + along[k]);
  }
}

export class ForceLegend {
  on = true;
  private group: SVGGElement;
  private drawn = "";

  constructor(
    svg: SVGSVGElement,
    private scene: Scene,
  ) {
    this.group = make("g", { class: "force-scale" }, svg);
  }

  // Pixels at the upper edge that it takes.
  get height(): number {
    const { forces } = this.scene;
    return this.on && forces ? TOP + LINE * (forces.scales.length + forces.words.length) : 0;
  }

  // The room that it takes: left, top, right, bottom.
  get box(): number[] {
    const longest = Math.max(0, ...Array.from(this.group.children, (one) => (one.textContent ?? "").length));
    return [0, 0, LEFT + LETTER * longest, this.height];
  }

  // `scale`: pixels per length of the drawing.
  show(scale: number, wide: number): void {
    const asked = `${scale} ${wide} ${this.on}`;
    if (asked === this.drawn) return;
    this.drawn = asked;
    this.group.replaceChildren();
    const { forces } = this.scene;
    change(this.group, { display: this.on && forces ? "inline" : "none" });
    if (!this.on || !forces) return;
    let y = TOP;
    for (const { per, unit, si, suffix, part } of forces.scales) {
      const value = rounded((per / scale) * Math.min(0.22 * wide, 130) * part);
      const end = LEFT + (value * scale) / per;
      make("path", { d: `M${LEFT} ${y - TICK}v${2 * TICK}m0 ${-TICK}H${end}m0 ${-TICK}v${2 * TICK}` }, this.group);
      const own = quantity(value, unit, 3);
      const text = si ? `${quantity(value * si.factor, si.unit, 3)} = ${own}` : own;
      make("text", { x: end + 7, y: y + 4 }, this.group).textContent = `${text}${suffix}`;
      y += LINE;
    }
    for (const words of forces.words) {
      make("text", { x: LEFT, y: y + 2, class: "words" }, this.group).textContent = words;
      y += LINE - 2;
    }
  }
}

// The largest of 1, 2, 5 times a power of ten that is not more.
function rounded(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most) + 1e-12);
  return [5, 2, 1].map((k) => k * decade).find((x) => x <= most * (1 + 1e-9))!;
}
