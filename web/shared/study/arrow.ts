// Arrows of a study, in pixels, with their names beside them.
import { make } from "../svg";
import type { Placed } from "../viewer";

const HEAD = 9; // pixels

export interface Look {
  colour: string;
  dashed?: boolean;
  thin?: boolean;
  label?: string;
  data?: Record<string, string>;
}

export function drawArrow(layer: Element, from: Placed, to: Placed, look: Look): SVGGElement {
  const group = make("g", { class: `leg${look.dashed ? " dashed" : ""}${look.thin ? " thin" : ""}` }, layer);
  group.style.setProperty("--c", look.colour);
  for (const name in look.data ?? {}) group.dataset[name] = look.data![name];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < 1) return group;
  const size = Math.min(HEAD, 0.6 * length);
  const [ux, uy] = [dx / length, dy / length];
  const [bx, by] = [to.x - size * ux, to.y - size * uy];
  const wide = 0.38 * size;
  make("path", { class: "shaft", d: `M${from.x} ${from.y}L${bx} ${by}` }, group);
  const d = `M${to.x} ${to.y}L${bx - wide * uy} ${by + wide * ux}L${bx + wide * uy} ${by - wide * ux}Z`;
  make("path", { class: "head", d }, group);
  return group;
}

// An arc around a place with its sense.
export function drawTurn(layer: Element, at: Placed, radius: number, left: boolean, look: Look): SVGGElement {
  const group = make("g", { class: "leg" }, layer);
  group.style.setProperty("--c", look.colour);
  for (const name in look.data ?? {}) group.dataset[name] = look.data![name];
  const point = (turn: number): Placed => ({ x: at.x + radius * Math.cos(turn), y: at.y - radius * Math.sin(turn) });
  const [a, b] = [point(-0.6), point(3.9)];
  make("path", { class: "shaft", d: `M${a.x} ${a.y}A${radius} ${radius} 0 1 0 ${b.x} ${b.y}` }, group);
  const [tip, way] = left ? [b, 3.9 + Math.PI / 2] : [a, -0.6 - Math.PI / 2];
  const [ux, uy] = [Math.cos(way), -Math.sin(way)];
  const d = `M${tip.x + 7 * ux} ${tip.y + 7 * uy}L${tip.x - 3.4 * uy} ${tip.y + 3.4 * ux}L${tip.x + 3.4 * uy} ${tip.y - 3.4 * ux}Z`;
  make("path", { class: "head", d }, group);
  return group;
}

// Words beside a place of an arrow, kept apart from each other.
export class Words {
  private taken: number[][] = [];

  constructor(
    private layer: Element,
    private wide: number,
    private high: number,
  ) {}

  // Takes a box that words keep clear of.
  block(box: number[]): void {
    this.taken.push(box);
  }

  put(text: string, at: Placed, away: Placed, colour = ""): void {
    const [w, h] = [6.6 * text.length + 4, 15];
    const length = Math.hypot(away.x, away.y) || 1;
    const [ux, uy] = [away.x / length, away.y / length];
    const places = [0, 1, 2, 3, 4, 5].flatMap((k) =>
      [0, 0.7, -0.7, 1.6, -1.6, Math.PI].map((turn) => {
        const [x, y] = [ux * Math.cos(turn) - uy * Math.sin(turn), ux * Math.sin(turn) + uy * Math.cos(turn)];
        const far = 8 + 13 * k;
        return [at.x + x * (far + (Math.abs(x) * w) / 2), at.y + y * (far + h / 2)];
      }),
    );
    const box = ([x, y]: number[]): number[] => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];
    const clear = (b: number[]): boolean =>
      b[0] >= 0 &&
      b[1] >= 0 &&
      b[2] <= this.wide &&
      b[3] <= this.high &&
      !this.taken.some((o) => b[0] < o[2] && o[0] < b[2] && b[1] < o[3] && o[1] < b[3]);
    const found = places.find((place) => clear(box(place)));
    if (!found) return; // the table has it
    this.taken.push(box(found));
    const text_ = make("text", { x: found[0], y: found[1] + 4, "text-anchor": "middle" }, this.layer);
    text_.textContent = text;
    if (colour) text_.style.setProperty("--c", colour);
  }
}
