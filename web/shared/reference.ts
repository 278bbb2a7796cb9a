// Columns of another run or table beside those of the run, and their differences.
import { between, parabolic } from "./charts/values";
import type { Column, Curve } from "./data";
import { rowBefore } from "./rows";

const PIECES = 8; // of a step between rows

// The curve through the rows of another run, as finely as it is drawn.
export function denseCurve(t: Float64Array, v: Float64Array): Curve {
  const rows = { t, v, slope: parabolic(t, v), gaps: new Set<number>() };
  const count = PIECES * (t.length - 1) + 1;
  const at = (k: number): [number, number] => [Math.floor(k / PIECES), (k % PIECES) / PIECES];
  const times = Float64Array.from({ length: count }, (_, k) => {
    const [row, part] = at(k);
    return part ? t[row] + part * (t[row + 1] - t[row]) : t[row];
  });
  const values = times.map((_, k) => {
    const [row, part] = at(k);
    return part ? between(rows, row, part) : v[row];
  });
  return { t: times, v: values };
}

// The column less that of the other run or table, at its rows.
export function differenceOf(column: Column): Column {
  const { t, v } = column.reference!;
  const value = (time: number): number => {
    const k = Math.min(rowBefore(t, time), Math.max(t.length - 2, 0));
    if (time < t[0] || time > t[t.length - 1]) return NaN;
    if (t[k] === time || t.length < 2) return v[k];
    return v[k] + ((v[k + 1] - v[k]) * (time - t[k])) / (t[k + 1] - t[k]);
  };
  const { name, word, owner, group, unit, order, colour, scale, gaps } = column;
  const kept = { owner, unit, order, colour, scale, gaps, t: column.t, group: `${group}.difference` };
  const own = column.v.map((now, k) => now - value(column.t[k]));
  return { ...kept, name: `${name}.difference`, word: `Δ${word}`, v: own, difference: true };
}
