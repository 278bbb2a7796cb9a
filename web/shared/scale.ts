// A bar of a round length in the corner, and the directions x and y.
import { make } from "./svg";

export function drawScale(svg: SVGSVGElement, scale: number, unit: string, wide: number, high: number): void {
  svg.querySelector(".scale")?.remove();
  const group = make("g", { class: "scale" }, svg);
  const most = Math.min(0.22 * wide, 130) / scale;
  const decade = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map((k) => k * decade).find((x) => x <= most)!;
  const [x, y] = [14, high - 14];
  make("path", { d: `M${x} ${y - 5}V${y}H${x + length * scale}V${y - 5}` }, group);
  const text = make("text", { x: x + length * scale + 7, y: y + 1 }, group);
  text.textContent = `${Number(length.toPrecision(3))}${unit ? ` ${unit}` : ""}`;
}
