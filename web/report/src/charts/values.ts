// Values of columns between rows, and the range a chart needs.
import type { Column } from "../data";

// Cubic between rows where the derivative is known, else straight.
export function valueAt({ t, v, slope }: Column, time: number): number {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle - 1;
  }
  if (low + 1 >= t.length || t[low] === time) return v[low];
  const part = (time - t[low]) / (t[low + 1] - t[low]);
  return part <= 0 ? v[low] : between(t, v, slope, low, part);
}

export function between(
  t: Float64Array,
  v: Float64Array,
  slope: Float64Array | undefined,
  k: number,
  u: number,
): number {
  const rise = v[k + 1] - v[k];
  const straight = v[k] + u * rise;
  if (!slope || !Number.isFinite(slope[k] + slope[k + 1])) return straight;
  const step = t[k + 1] - t[k];
  return straight + u * (1 - u) * ((1 - u) * (step * slope[k] - rise) + u * (rise - step * slope[k + 1]));
}

// Least and greatest values within a range of time, with a little room; a constant gets room around it.
export function bounds(columns: Column[], [from, to]: [number, number]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { t, v, slope } of columns) {
    for (let k = 0; k < t.length; k++) {
      if (t[k] < from || t[k] > to || !Number.isFinite(v[k])) continue;
      const middle = k + 1 < t.length ? between(t, v, slope, k, 0.5) : v[k];
      low = Math.min(low, v[k], Number.isFinite(middle) ? middle : v[k]);
      high = Math.max(high, v[k], Number.isFinite(middle) ? middle : v[k]);
    }
  }
  if (low > high) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size || high === low) {
    const room = size > 0 ? 0.1 * size : 1; // rounding is no motion
    return [low - room, high + room];
  }
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}
