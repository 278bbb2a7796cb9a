import { digits } from "../numbers";

// What a figure of a study shows: curves over a quantity that is not time, such as the cycle of a walk, the length along a
// link or a parameter. Numbers are in the unit of their axis.
export interface Quantity {
  label: string;
  unit: string;
}
// Rows of a curve that follows the clock: the one of the last time that is not after the time shown.
export interface Rows {
  times: number[];
  values: (number | null)[][];
}
export interface FigureCurve {
  label: string;
  colour: string;
  dash?: string;
  x: number[];
  y?: (number | null)[];
  low?: (number | null)[]; // a band around the curve
  high?: (number | null)[];
  rows?: Rows;
  cycles?: [number, number][]; // times at which x is at its start and at its end
  points?: boolean; // places of designs, joined by straight lines
}
export interface Limit {
  value: number;
  label: string;
}
// Values of healthy people or of another source at the places of the first curve; a band behind all curves.
export interface Band {
  low: (number | null)[];
  high: (number | null)[];
  source: string;
}
export interface FigureData {
  name: string;
  title: string;
  x: Quantity;
  y: Quantity;
  curves: FigureCurve[];
  band?: Band;
  limits?: Limit[]; // values that the curves should not pass
  marks?: { x: number; label: string; colour?: string }[]; // places of the horizontal axis
  bars?: { from: number; to: number; high: number }[]; // a histogram
  ends?: [string, string]; // what is below and what is above
  parts?: { label: string; value: number }[]; // bars beside each other instead of curves
  design?: number; // the design that a click shows
  part?: string; // "body:crank": what the figure is of
}

export function label({ label: name, unit }: Quantity): string {
  return unit ? `${name} [${unit}]` : name;
}

// The number of the cycle that a time lies in, and how far it is gone, from 0 to 1.
export function phase(cycles: [number, number][], time: number): { cycle: number; part: number } | null {
  const cycle = cycles.findIndex(([from, to]) => time >= from && time < to);
  if (cycle < 0) return null;
  const [from, to] = cycles[cycle];
  return { cycle, part: (time - from) / (to - from) };
}

// y of a curve at x, straight between its places; NaN outside of them.
export function along(x: number[], y: (number | null)[], at: number): number {
  const rising = x[x.length - 1] >= x[0];
  for (let k = 0; k + 1 < x.length; k++) {
    const [a, b] = rising ? [x[k], x[k + 1]] : [x[k + 1], x[k]];
    if (at < a || at > b) continue;
    const [from, to] = [y[k], y[k + 1]];
    if (from === null || to === null) return NaN;
    const part = x[k + 1] === x[k] ? 0 : (at - x[k]) / (x[k + 1] - x[k]);
    return from + part * (to - from);
  }
  return NaN;
}

// Least and greatest value of everything that a figure draws; a limit is seen where it is not far away.
export function heightOf({ curves, limits, bars, band }: FigureData): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  const see = (value: number | null | undefined): void => {
    if (value === null || value === undefined || !Number.isFinite(value)) return;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  };
  for (const { y, low: below, high: above, rows } of curves)
    for (const values of [y, below, above, ...(rows && !below ? rows.values : [])]) values?.forEach(see);
  for (const values of [band?.low, band?.high]) values?.forEach(see);
  for (const bar of bars ?? []) [0, bar.high].forEach(see);
  if (low > high) return [0, 1];
  const reach = Math.max(Math.abs(low), Math.abs(high));
  for (const { value } of limits ?? []) if (Math.abs(value) <= 2.5 * reach) see(value);
  if (high - low <= 1e-9 * reach || high === low) return [low - (0.1 * reach || 1), high + (0.1 * reach || 1)];
  const room = 0.06 * (high - low);
  return [low === 0 && bars ? 0 : low - room, high + room];
}

// Limits beyond what is seen, in words: "allowed ±2200".
export function farLimits({ limits }: FigureData, [low, high]: [number, number], factor: number): string {
  const far = (limits ?? []).filter(({ value }) => value < low || value > high);
  if (!far.length) return "";
  const both = far.length === 2 && far[0].value === -far[1].value;
  const values = both ? [`±${digits(Math.abs(far[0].value) / factor)}`] : far.map((one) => digits(one.value / factor));
  return `${far.find((one) => one.label)?.label ?? "limit"} ${values.join(", ")}`;
}

// Colours from small to large that keep their order in grey and for colour-blind eyes (after viridis).
const RAMP = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

export function ramp(part: number): string {
  const at = Math.min(Math.max(Number.isFinite(part) ? part : 0, 0), 1) * (RAMP.length - 1);
  const k = Math.min(Math.floor(at), RAMP.length - 2);
  const mixed = RAMP[k].map((from, n) => Math.round(from + (at - k) * (RAMP[k + 1][n] - from)));
  return `rgb(${mixed.join(" ")})`;
}

// Green, amber, red: how much of what is allowed is used, from 0 to 1; beyond it is the darkest.
export function judged(use: number): string {
  if (!Number.isFinite(use)) return "#888888";
  if (use > 1) return "#8b0020";
  const stops = [
    [46, 139, 87],
    [138, 168, 40],
    [230, 159, 0],
    [200, 40, 30],
  ];
  const at = Math.max(use, 0) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return `rgb(${stops[k].map((from, n) => Math.round(from + (at - k) * (stops[k + 1][n] - from))).join(" ")})`;
}
