// The band that a column should keep to, and the lines beyond which there is trouble or something happens.
import type { Limits } from "../data";
import { make } from "../svg";

export interface Room {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function drawLimits(
  grid: SVGGElement,
  { band, lines, note }: Limits,
  room: Room,
  y: (value: number) => number,
): void {
  const bottom = room.y + room.height;
  if (band) {
    const within = (value: number | null, open: number): number =>
      value === null ? open : Math.min(Math.max(y(value), room.y), bottom);
    const [top, end] = [within(band[1], room.y), within(band[0], bottom)];
    const place = { x: room.x, y: top, width: room.width, height: Math.max(end - top, 0) };
    make("title", {}, make("rect", { class: "band", ...place }, grid)).textContent = note;
  }
  for (const at of lines.map(y)) {
    if (at < room.y || at > bottom) continue;
    const line = make("line", { class: "limit", x1: room.x, x2: room.x + room.width, y1: at, y2: at }, grid);
    make("title", {}, line).textContent = note;
  }
}
