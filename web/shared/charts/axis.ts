// What charts are drawn over: time, or any column of the run, whose curve may then go to and fro.
import type { Column, Run } from "../data";
import { conversion } from "../numbers";
import { bounds, valueAt } from "./values";

const SAMPLES = 1200; // places of the whole motion at which a curve over a column is drawn

export interface Axis {
  readonly column: Column | null;
  readonly label: string;
  readonly unit: string;
  readonly whole: [number, number]; // all of it, in the unit shown
  value(time: number): number;
  time(value: number): number | null; // when it has a value; null for one that goes to and fro
}

export function timeAxis(start: number, end: number, unit: string): Axis {
  return {
    column: null,
    label: unit ? `t [${unit}]` : "t",
    unit,
    whole: [start, end],
    value: (time) => time,
    time: (value) => value,
  };
}

export function columnAxis(column: Column, unit: string, span: [number, number]): Axis {
  const factor = conversion(column.unit, unit);
  const [low, high] = bounds([column], span, 0).map((x) => x * factor);
  const label = unit ? `${column.name} [${unit}]` : column.name;
  const value = (time: number): number => factor * valueAt(column, time);
  const rising = Math.sign(value(span[1]) - value(span[0]));
  const monotone = Array.from(column.v).every((v, k, all) => k === 0 || rising * factor * (v - all[k - 1]) > 0);
  const time = (wanted: number): number | null => {
    if (!monotone) return null;
    let [early, late] = span;
    for (let k = 0; k < 60; k++) {
      const middle = (early + late) / 2;
      if (rising * (value(middle) - wanted) < 0) early = middle;
      else late = middle;
    }
    return (early + late) / 2;
  };
  return { column, label, unit, whole: [low, high], value, time };
}

// Times at which curves over a column are drawn: rows and places between them, so that they are round.
export function sampleTimes(run: Run, [from, to]: [number, number]): number[] {
  const { times, rows } = run;
  const all = times.length ? times : rows;
  const parts = Math.max(1, Math.min(8, Math.floor(SAMPLES / Math.max(all.length, 1))));
  const out: number[] = [];
  for (let k = 0; k < all.length; k++) {
    const step = ((all[k + 1] ?? all[k]) - all[k]) / parts;
    for (let n = 0; n < (step > 0 ? parts : 1); n++) out.push(all[k] + n * step);
  }
  return out.filter((time) => time >= from && time <= to);
}
