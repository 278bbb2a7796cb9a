// Values of columns between rows, by the rule of mubo.view.curves; and the range a chart needs. Within a step that is a
// gap the rows do not determine the curve: there is no value.
import type { Column, Samples } from "../data";
import { rowBefore } from "../rows";

const ROUNDING = 1e-12; // of the largest number of its kind in the run: less is rounding
const BESIDE = 0.004; // of its range: a curve that is nearer to another lies on it
const INNER = 8; // places within a step that are looked at for the range

// Cubic between rows.
export function valueAt(column: Samples, time: number): number {
  const { t, v } = column;
  const low = rowBefore(t, time);
  if (low + 1 >= t.length || t[low] === time) return v[low];
  const part = (time - t[low]) / (t[low + 1] - t[low]);
  return part <= 0 ? v[low] : between(column, low, part);
}

// Nothing, where only rounding is left of a number.
export function settled({ scale }: Column, value: number): number {
  return Math.abs(value) < ROUNDING * scale ? 0 : value;
}

// Whether a row has a value that no curve touches: it is drawn as a dot.
export function isSingle({ v, gaps }: Column, k: number): boolean {
  const joined = (a: number): boolean => !gaps.has(a) && Number.isFinite(v[a]) && Number.isFinite(v[a + 1]);
  return Number.isFinite(v[k]) && !joined(k - 1) && !joined(k);
}

export function between({ t, v, slope, gaps }: Samples, k: number, u: number): number {
  if (gaps.has(k)) return NaN;
  const rise = v[k + 1] - v[k];
  const straight = v[k] + u * rise;
  const step = t[k + 1] - t[k];
  if (!slope || !(step > 0) || !Number.isFinite(slope[k] + slope[k + 1])) return straight;
  const [a, b] = tamed(step * slope[k] - rise, rise - step * slope[k + 1], rise);
  return straight + u * (1 - u) * ((1 - u) * a + u * b);
}

// By how much a curve leaves its chord more steeply, and comes in less steeply: cut back where a cubic of these slopes
// would show what no row does. One that bends to one side keeps doing so, one that climbs does not fall.
export function tamed(a: number, b: number, rise: number): [number, number] {
  if (a * b > 0)
    return [
      Math.sign(a) * Math.min(Math.abs(a), 2 * Math.abs(b)),
      Math.sign(b) * Math.min(Math.abs(b), 2 * Math.abs(a)),
    ];
  const most = 2 * Math.abs(rise);
  const [out, into] = [rise + a, rise - b];
  if (out * rise < 0 || into * rise < 0) return [a, b];
  return [rise > 0 ? Math.min(a, most) : Math.max(a, -most), rise > 0 ? Math.max(b, -most) : Math.min(b, most)];
}

const AT_ONCE = 1e-9; // of the whole time: rows closer than that, at an event, determine no slope

// Slopes of a column whose derivative is not known: of the parabola through a row and its neighbours; at an end and
// beside a gap of that through the next two rows, or of the step where there is only one.
export function parabolic(t: Float64Array, v: Float64Array): Float64Array {
  const least = AT_ONCE * (t[t.length - 1] - t[0]);
  const step = (k: number): number => (t[k + 1] - t[k] > least ? t[k + 1] - t[k] : NaN);
  const chord = (k: number): number => (v[k + 1] - v[k]) / step(k);
  const bent = (k: number, other: number): number =>
    chord(k) + ((chord(k) - chord(other)) * step(k)) / (step(k) + step(other));
  return v.map((_, k) => {
    const middle = (chord(k - 1) * step(k) + chord(k) * step(k - 1)) / (step(k - 1) + step(k));
    const known = [middle, bent(k, k + 1), bent(k - 1, k - 2), chord(k), chord(k - 1)].find(Number.isFinite);
    return known ?? NaN;
  });
}

// Least and greatest values within a range of time, with a little room; a constant gets room around it.
export function bounds(columns: Column[], [from, to]: [number, number], margin = 0.06): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  let size = 0;
  const see = (value: number): void => {
    if (!Number.isFinite(value)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const column of columns) {
    const { t, v, slope, scale } = column;
    for (const other of [column.samples, column.reference])
      other?.v.forEach((value, k) => other.t[k] >= from && other.t[k] <= to && see(value));
    size = Math.max(size, scale);
    for (const end of [from, to]) if (end >= t[0] && end <= t[t.length - 1]) see(valueAt(column, end));
    for (let k = 0; k < t.length; k++) {
      if (t[k] >= from && t[k] <= to) see(v[k]);
      for (let n = 1; slope && k + 1 < t.length && n < INNER; n++) {
        const at = t[k] + ((t[k + 1] - t[k]) * n) / INNER;
        if (at >= from && at <= to) see(between(column, k, n / INNER));
      }
    }
  }
  if (low > high) return [0, 1];
  const most = Math.max(Math.abs(low), Math.abs(high));
  if (most <= ROUNDING * size) return [-1, 1]; // zero, and rounding is no motion
  if (high - low <= 1e-9 * most) return [low - 0.1 * most, high + 0.1 * most];
  const room = margin * (high - low);
  return [low - room, high + room];
}

// Whether the curves of two columns cannot be told apart by eye.
export function coincide(a: Column, b: Column): boolean {
  if (a.unit !== b.unit || a.v.length !== b.v.length) return false;
  const finite = a.v.filter(Number.isFinite);
  const range = finite.reduce((m, x) => Math.max(m, x), -Infinity) - finite.reduce((m, x) => Math.min(m, x), Infinity);
  return a.v.every((x, k) => a.t[k] === b.t[k] && !(Math.abs(x - b.v[k]) > BESIDE * range));
}

// Least and greatest value of a column that varies, of those at some times; each with its time.
export function extremesOf(column: Column, factor: number, times: number[]): { t: number; v: number }[] {
  let least = { t: NaN, v: Infinity };
  let most = { t: NaN, v: -Infinity };
  for (const t of times) {
    const v = valueAt(column, t) * factor;
    if (v < least.v) least = { t, v };
    if (v > most.v) most = { t, v };
  }
  const varies = most.v - least.v > 1e-9 * Math.max(Math.abs(most.v), column.scale * Math.abs(factor) * 1e-3);
  return varies ? [least, most] : [];
}
