// Names beside what they name. At every time each takes the place of least cost, and keeps its side where it can.
import { change, make } from "./svg";
import type { Placed } from "./viewer";

export interface Wanted {
  text: string;
  kind: "point" | "body" | "joint";
  colour?: string;
}
export type Segment = [number, number, number, number];
interface Label extends Wanted {
  group: SVGGElement;
  name: SVGTextElement;
  width: number;
  side: number;
}

const HEIGHT = 15;
const SIDES = [1, -1, 3, -3, 0, 4, 2, -2].map((eighth) => [
  Math.cos((eighth * Math.PI) / 4),
  -Math.sin((eighth * Math.PI) / 4),
]);
const REACH = [1, 1.9];
// what a bad place costs, against one per pixel of a line covered
const OTHER_NAME = 90,
  OUTSIDE = 300,
  FAR = 4,
  TURN = 0.3,
  KEEP = 14,
  TOO_MUCH = 60;

export class Labels {
  private labels: Label[];
  on = true;
  private shown = true;

  constructor(
    private layer: SVGGElement,
    wanted: Wanted[],
  ) {
    this.labels = wanted.map((entry) => {
      const group = make("g", { class: `label ${entry.kind}` }, layer);
      const name = make("text", {}, group);
      name.textContent = entry.text;
      if (entry.colour) name.style.setProperty("--c", entry.colour);
      return { ...entry, group, name, width: 0, side: -1 };
    });
  }

  hide(): void {
    if (this.shown) change(this.layer, { display: "none" });
    this.shown = false;
  }

  // Names of what is hidden behind something are pale.
  fade(hidden: boolean[]): void {
    this.labels.forEach(({ group }, k) => group.classList.toggle("behind", hidden[k]));
  }

  // `anchors` are where the named things are (null: not known), `clear` is how far a name keeps away from them; `kept`
  // are boxes of other texts: left, top, right, bottom.
  place(
    anchors: (Placed | null)[],
    lines: Segment[],
    clear: number[],
    wide: number,
    high: number,
    kept: readonly number[][] = [],
  ): void {
    if (!this.shown) change(this.layer, { display: "inline" });
    this.shown = true;
    const taken = [...kept];
    this.labels.forEach((label, k) => {
      const anchor = anchors[k];
      label.group.style.display = anchor ? "" : "none";
      if (!anchor) return;
      label.width ||= label.name.getComputedTextLength() || 7 * label.text.length;
      const { best, chosen } = this.choose(label, anchor, lines, clear[k], taken, wide, high);
      // a joint's name is hidden first; a name over another text can be read by nobody
      const hidden = label.kind === "joint" ? best > TOO_MUCH : taken.some((other) => overlap(chosen.box, other));
      label.group.style.display = hidden ? "none" : "";
      if (hidden) return;
      label.side = chosen.side;
      taken.push(chosen.box);
      change(label.group, { transform: `translate(${anchor.x.toFixed(1)} ${anchor.y.toFixed(1)})` });
      label.name.style.transform = `translate(${chosen.x.toFixed(1)}px, ${(chosen.y + 4.5).toFixed(1)}px)`;
    });
  }

  // The place of least cost; a side that was taken before and is clear is kept without looking at the others.
  private choose(
    label: Label,
    anchor: Placed,
    lines: Segment[],
    clear: number,
    taken: number[][],
    wide: number,
    high: number,
  ): { best: number; chosen: Spot } {
    let best = Infinity;
    let chosen: Spot = { side: 0, x: 0, y: 0, box: [0, 0, 0, 0] };
    const count = REACH.length * SIDES.length;
    const first = Math.max(label.side, 0);
    for (let k = 0; k < count; k++) {
      const spot = spotOf(label.width, anchor, clear, (first + k) % count);
      const { box, side } = spot;
      const kept = side === label.side ? KEEP : 0;
      let cost = FAR * Math.floor(side / SIDES.length) + TURN * (side % SIDES.length) - kept;
      if (box[0] < 0 || box[1] < 0 || box[2] > wide || box[3] > high) cost += OUTSIDE;
      for (const other of taken) if (overlap(box, other)) cost += OTHER_NAME;
      for (let n = 0; n < lines.length && cost < best; n++) cost += inside(box, lines[n]);
      if (cost < best) [best, chosen] = [cost, spot];
      if (kept && cost < 0) break;
    }
    return { best, chosen };
  }
}

// A place of a name: the number of its side and distance, and its box.
interface Spot {
  side: number;
  x: number; // from the anchor to its middle
  y: number;
  box: number[];
}

function spotOf(width: number, anchor: Placed, clear: number, side: number): Spot {
  const [dx, dy] = SIDES[side % SIDES.length];
  const far = clear * REACH[Math.floor(side / SIDES.length)] + 3;
  const x = dx * far + (Math.sign(Math.round(dx * 9)) * width) / 2;
  const y = dy * far + (Math.sign(Math.round(dy * 9)) * HEIGHT) / 2;
  const [left, top] = [anchor.x + x, anchor.y + y];
  return { side, x, y, box: [left - width / 2 - 2, top - HEIGHT / 2, left + width / 2 + 2, top + HEIGHT / 2] };
}

// Whether two boxes, each left, top, right, bottom, have room in common.
export function overlap(a: readonly number[], b: readonly number[]): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

// Pixels of a line inside a box (Liang and Barsky 1984); most lines are far from most boxes.
function inside([left, top, right, bottom]: number[], [x, y, u, v]: Segment): number {
  if ((x < left && u < left) || (x > right && u > right) || (y < top && v < top) || (y > bottom && v > bottom))
    return 0;
  let [low, high] = [0, 1];
  if (u !== x) {
    const [one, two] = [(left - x) / (u - x), (right - x) / (u - x)];
    [low, high] = [Math.max(low, Math.min(one, two)), Math.min(high, Math.max(one, two))];
  }
  if (v !== y) {
    const [one, two] = [(top - y) / (v - y), (bottom - y) / (v - y)];
    [low, high] = [Math.max(low, Math.min(one, two)), Math.min(high, Math.max(one, two))];
  }
  return high > low ? (high - low) * Math.hypot(u - x, v - y) : 0;
}
