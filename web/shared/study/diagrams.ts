// N, V and M over the length of a link, each with its largest value.
import type { Scene } from "../data";
import { prefixOf, digits, quantity } from "../numbers";
import { change, line, make } from "../svg";
import type { Cut } from "./beam";

const [LEFT, RIGHT, HIGH, GAP] = [30, 78, 64, 10];
const ROWS = [
  ["N", "n", "force"],
  ["V", "v", "force"],
  ["M", "m", "torque"],
] as const;

export function drawDiagrams(
  svg: SVGSVGElement,
  cuts: Cut[],
  ends: [string, string],
  scene: Scene,
  wide: number,
): void {
  const whole = ROWS.length * (HIGH + GAP) + 18;
  svg.replaceChildren();
  change(svg, {
    viewBox: `0 0 ${wide} ${whole}`,
    width: wide,
    height: whole,
    "aria-label": "N, V and M along the link",
  });
  const length = cuts[cuts.length - 1].s || 1;
  const x = (s: number): number => LEFT + (s / length) * (wide - LEFT - RIGHT);
  const forces = Math.max(...cuts.flatMap(({ n, v }) => [Math.abs(n), Math.abs(v)]));
  ROWS.forEach(([letter, word, holds], row) => {
    const values = cuts.map((cut) => cut[word]);
    const scale = holds === "force" ? forces : forces * length;
    const most = Math.max(...values.map(Math.abs));
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const top = 6 + row * (HIGH + GAP);
    const rounding = most <= 1e-9 * scale;
    const y = (value: number): number =>
      rounding || high === low ? top + HIGH / 2 : top + ((high - value) / (high - low)) * HIGH;
    const group = make("g", { class: "diagram", "data-diagram": letter }, svg);
    const points = cuts.map((cut, k) => [x(cut.s), y(values[k])]);
    const closed = [[x(0), y(0)], ...points, [x(length), y(0)]];
    make("path", { class: "area", d: line(closed, true) }, group);
    make("path", { class: "line", d: line(points) }, group);
    make("path", { class: "axis", d: `M${x(0)} ${y(0)}H${x(length)}` }, group);
    make("text", { x: 4, y: top + HIGH / 2 + 4, class: "letter" }, group).textContent = letter;
    group.dataset.largest = String(rounding ? 0 : most);
    const at = values.findIndex((value) => Math.abs(value) === most);
    const unit = scene.effort_units[holds];
    const text = make("text", { x: wide - RIGHT + 8, y: top + HIGH / 2 + 4 }, group);
    text.textContent = rounding ? "0" : quantity(values[at], unit, 3);
    if (!rounding) make("circle", { class: "extreme", cx: points[at][0], cy: points[at][1], r: 2.8 }, group);
  });
  const foot = whole - 4;
  const [factor, unit] = prefixOf(length, scene.units.length);
  const texts: [string, number, string][] = [
    [ends[0], x(0), "start"],
    [`${digits(length / factor)}${unit ? ` ${unit}` : ""}`, x(length / 2), "middle"],
    [ends[1], x(length), "end"],
  ];
  for (const [text, at, anchor] of texts)
    make("text", { x: at, y: foot, "text-anchor": anchor }, svg).textContent = text;
}
