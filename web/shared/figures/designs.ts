// Many designs: their numbers by axis (parameters, then measures), and which of them is shown.
import type { Quantity } from "./data";

export interface DesignAxis extends Quantity {
  values: (number | null)[]; // one a design
  measure: boolean; // found, not chosen
}
export interface DesignMap {
  x: number; // numbers of axes
  y: number;
  z: number;
}
export interface DesignData {
  word: string; // what one of them is called: "variant", "design", "mode"
  names: string[];
  notes: string[]; // what is to be known of each: why it did not run, whose cognate it is
  axes: DesignAxis[];
  model: number | null; // the one that is the model itself
  first: number; // the one that is shown first
  moving: number[]; // those that can be seen to move
  maps: DesignMap[];
  parallel: boolean;
}

// Places of values on axes from 0 at the least to 1 at the greatest; 0.5 where all are equal.
export function shares(values: (number | null)[]): number[] {
  const known = values.filter((value): value is number => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return values.map((value) => (value === null ? NaN : high > low ? (value - low) / (high - low) : 0.5));
}

// Whether designs differ in a value: an axis of one value, or of none, has nothing to compare.
export function varies({ values }: Pick<DesignAxis, "values">): boolean {
  return new Set(values.filter((value) => value !== null && Number.isFinite(value))).size > 1;
}

// Whether a design has a measure, where there are any.
export function ran(axes: DesignAxis[], design: number): boolean {
  const measures = axes.filter(({ measure }) => measure);
  return !measures.length || measures.some(({ values }) => values[design] !== null);
}

// Which designs lie within the brushed ranges of the axes.
export function within(axes: DesignAxis[], ranges: ([number, number] | null)[]): boolean[] {
  const count = axes[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, design) =>
    axes.every(({ values }, k) => {
      const [range, value] = [ranges[k], values[design]];
      return !range || (value !== null && value >= range[0] && value <= range[1]);
    }),
  );
}

// The design nearest to a place of two axes, each measured by its own range.
export function nearestDesign(first: (number | null)[], second: (number | null)[], at: [number, number]): number {
  let [best, found] = [Infinity, -1];
  first.forEach((value, k) => {
    const other = second[k];
    if (value === null || other === null) return;
    const far = Math.hypot(value - at[0], other - at[1]);
    if (far < best) [best, found] = [far, k];
  });
  return found;
}

// For texts in a row, each from left to right in pixels, the first line on which each is clear of those before it.
export function linesOf(spans: [number, number][], gap = 8): number[] {
  const ends: number[] = [];
  return spans.map(([left, right]) => {
    const free = ends.findIndex((end) => left >= end + gap);
    const line = free < 0 ? ends.length : free;
    ends[line] = right;
    return line;
  });
}
