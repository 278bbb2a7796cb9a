// A small curve of a column, as high as a line of text.
import type { Column } from "../data";
import { line, make } from "../svg";

const [WIDE, HIGH] = [64, 18]; // pixels

export function spark(column: Column): SVGSVGElement {
  const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, "aria-hidden": "true" });
  const { t, v } = column;
  let [low, high] = [Infinity, -Infinity];
  for (const value of v) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (high - low <= 1e-12 * column.scale) [low, high] = [low - 1, high + 1];
  const span = t[t.length - 1] - t[0] || 1;
  const every = Math.max(1, Math.floor(t.length / 96));
  const points: number[][] = [];
  for (let k = 0; k < t.length; k += every)
    points.push([((t[k] - t[0]) / span) * WIDE, 2 + (HIGH - 4) * (1 - (v[k] - low) / (high - low))]);
  const path = make("path", { class: "line", d: line(points) }, svg);
  path.style.setProperty("--c", column.colour ?? "currentColor");
  return svg;
}
