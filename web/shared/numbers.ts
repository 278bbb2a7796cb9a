// Numbers as people read them: four digits, an SI prefix where the unit takes one, − as the minus sign.
export const DIGITS = 4;

export function digits(x: number, count = DIGITS): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? power(x, count) : String(Number(x.toPrecision(count)));
  return text.replace("-", "−");
}

const RAISED = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];

function power(x: number, count: number): string {
  const [mantissa, exponent] = x.toExponential(count - 1).split("e");
  const raised = exponent
    .replace("+", "")
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => RAISED[Number(digit)]);
  return `${Number(mantissa)} × 10${raised}`;
}

// Units that take prefixes, and how small a prefix may be.
const PREFIXED = /^(N|N m|W|J|Pa|Hz|m|s)$/;
const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

// The prefix that leaves one to three digits before the point: 163 300 N m are 163.3 kN m.
export function prefixOf(size: number, unit: string): [number, string] {
  if (!PREFIXED.test(unit) || !(size > 0) || !Number.isFinite(size)) return [1, unit];
  const large = unit !== "m" && unit !== "s";
  const fitting = PREFIXES.find(([factor]) => size >= 0.99995 * factor && (large || factor <= 1));
  const [factor, letter] = fitting ?? PREFIXES[PREFIXES.length - 1];
  return [factor, letter + unit];
}

// A value with its unit: "−1.23 kN".
export function quantity(x: number, unit: string, count = DIGITS): string {
  const [factor, shown] = prefixOf(Math.abs(x), unit);
  return `${digits(x / factor, count)}${shown ? ` ${shown}` : ""}`;
}

// Round places for ticks that span a range: steps of 1, 2 or 5, about `count` of them and two at least; of degrees the parts
// of a turn.
export function ticks(low: number, high: number, count: number, unit = ""): number[] {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0)) return [low];
  const decade = 10 ** Math.floor(Math.log10(rough));
  const decimal = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((k) => k * decade);
  const steps = unit === "deg" && rough > 10 && rough <= 360 ? TURNS : decimal;
  const fits = steps.findIndex((x) => x >= rough * 0.999);
  for (let n = fits < 0 ? steps.length - 1 : fits; ; n--) {
    const step = steps[n];
    const out: number[] = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
    if (out.length > 1 || n === 0) return out;
  }
}
const TURNS = [10, 15, 30, 45, 60, 90, 180, 360];

// Ticks of one chart with equally many decimals.
export function tickLabels(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]);
  const most = Math.max(...values.map(Math.abs));
  if (most >= 1e6 || (most > 0 && step < 1e-5))
    return values.map((x) => (Math.abs(x) < 1e-9 * most ? "0" : digits(x, 4)));
  const decimals = step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0;
  return values.map((x) => (Math.abs(x) < 1e-9 * step ? 0 : x).toFixed(decimals).replace("-", "−"));
}

// Units in which a quantity may be shown instead, with their factors.
const FAMILIES: Record<string, number>[] = [
  { rad: 1, deg: Math.PI / 180, rev: 2 * Math.PI },
  { "rad/s": 1, "deg/s": Math.PI / 180, rpm: Math.PI / 30 },
  { "rad/s²": 1, "deg/s²": Math.PI / 180 },
  { m: 1, cm: 0.01, mm: 0.001, in: 0.0254 },
  { "m/s": 1, "mm/s": 0.001, "km/h": 1 / 3.6 },
  { "m/s²": 1, "mm/s²": 0.001, "g₀": 9.80665 },
  { N: 1, kN: 1000, lbf: 4.4482216152605 },
  { "N m": 1, "kN m": 1000, "N mm": 0.001 },
  { W: 1, kW: 1000, hp: 745.69987158227 },
  { Pa: 1, kPa: 1e3, MPa: 1e6, bar: 1e5 },
];

// The unit in which a quantity is shown where nobody chose one: angles in degrees.
export function usualUnit(unit: string): string {
  return unit === "rad" ? "deg" : unit;
}

export function unitsLike(unit: string): string[] {
  return Object.keys(FAMILIES.find((family) => unit in family) ?? {});
}

// What a number in one unit is multiplied by to be one in another.
export function conversion(from: string, to: string): number {
  const family = FAMILIES.find((one) => from in one && to in one);
  return family ? family[from] / family[to] : 1;
}

// A sentence whose values have the digits of the page: "t = 0.812144959 s" is "t = 0.8121 s". What is quoted stays.
export function rounded(text: string): string {
  const values = /"[^"]*"|(?<=(?:= |from | to ))-?\d+\.\d+(?![\w.])/g;
  const long = (one: string): boolean => one[0] !== '"' && one.replace(/^[-0.]+|\D/g, "").length > DIGITS;
  return text.replace(values, (one) => (long(one) ? digits(Number(one)) : one));
}
