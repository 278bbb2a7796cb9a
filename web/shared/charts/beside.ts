// Curves beside those of a run: measured samples as dots behind the curve, and that of a reference table, dashed.
import type { Column, Curve } from "../data";
import { line, make } from "../svg";

type Place = (time: number, value: number) => number[]; // pixels

export function drawBeside(
  inner: SVGElement,
  { column, colour, factor }: { column: Column; colour: string; factor: number },
  place: Place,
): void {
  const { samples, reference } = column;
  const places = ({ t, v }: Curve): number[][] => Array.from(t, (time, k) => place(time, v[k] * factor));
  if (samples) {
    const d = places(samples).map((at) => `M${at[0].toFixed(1)} ${at[1].toFixed(1)}h0`);
    const dots = make("path", { class: "samples", d: d.join("") }, inner);
    make("title", {}, dots).textContent = "measured";
    dots.style.setProperty("--c", colour);
  }
  // a row that stands alone is a line without length, whose round ends are a dot
  const d = reference && line(places(reference)).replace(/(M[^ML]+)(?=M|$)/g, "$1h0");
  if (d) make("path", { class: "reference", d }, inner);
}
