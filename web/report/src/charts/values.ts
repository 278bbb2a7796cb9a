// Values of columns between rows, and the range a chart needs.
import type { Column } from "../data";

export function valueAt({ t, v }: Column, time: number): number {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle - 1;
  }
  if (low + 1 >= t.length || t[low] === time) return v[low];
  const part = (time - t[low]) / (t[low + 1] - t[low]);
  return part <= 0 ? v[low] : v[low] + part * (v[low + 1] - v[low]);
}

// Least and greatest values within a range of time, with a little room; a constant gets room around it.
export function bounds(columns: Column[], [from, to]: [number, number]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { t, v } of columns) {
    for (let k = 0; k < t.length; k++) {
      if (t[k] < from || t[k] > to || !Number.isFinite(v[k])) continue;
      low = Math.min(low, v[k]);
      high = Math.max(high, v[k]);
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
