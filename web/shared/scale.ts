// A bar of a round length in the corner, and the directions x and y.
import { digits, quantity } from "./numbers";
import { make } from "./svg";

export function drawScale(svg: SVGSVGElement, scale: number, unit: string, wide: number, high: number): void {
  const asked = `${scale} ${unit} ${wide} ${high}`;
  const before = svg.querySelector<SVGGElement>(".scale");
  if (before?.dataset.drawn === asked) return;
  before?.remove();
  const group = make("g", { class: "scale", "data-drawn": asked }, svg);
  const most = Math.min(0.22 * wide, 130) / scale;
  const decade = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map((k) => k * decade).find((x) => x <= most)!;
  const [x, y] = [14, high - 14];
  make("path", { d: `M${x} ${y - 5}V${y}H${x + length * scale}V${y - 5}` }, group);
  const text = make("text", { x: x + length * scale + 7, y: y + 1 }, group);
  text.textContent = unit ? quantity(length, unit, 3) : `${digits(length, 3)} (no unit)`;
}
