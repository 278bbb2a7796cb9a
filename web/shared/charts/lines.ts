// The lines of a chart: colours of what the columns belong to, dashes where colours would not tell them apart.
import type { Column } from "../data";
import { conversion, usualUnit } from "../numbers";
import { make } from "../svg";
import { coincide } from "./values";

const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"];
const DASHES = ["", "6 4", "2 3", "8 3 2 3"];
const [OVER, SHIFT] = ["7 14", -7]; // of curves that lie on others, so that all colours are seen in turn

export interface Line {
  column: Column;
  colour: string;
  dash: string;
  shift: number; // pixels of its dashes
  factor: number; // to the unit that is shown
  dot: SVGCircleElement;
  extremes: { t: number; v: number }[];
}

export function linesOf(columns: Column[], units: Record<string, string>): Line[] {
  const own = new Map<string, number>();
  const alike = columns.length > 2 && new Set(columns.map(({ colour }) => colour)).size === 1; // dashes would not tell
  return columns.map((column, k) => {
    const colour = (alike ? null : column.colour) ?? COLOURS[k % COLOURS.length];
    const before = own.get(colour) ?? 0;
    own.set(colour, before + 1);
    const dot = make("circle", { r: 3.5 });
    dot.style.setProperty("--c", colour);
    const covered = before ? 0 : columns.slice(0, k).filter((other) => coincide(other, column)).length;
    return {
      column,
      colour,
      dash: covered ? OVER : DASHES[before % DASHES.length],
      shift: SHIFT * covered,
      factor: conversion(column.unit, units[column.name] ?? usualUnit(column.unit)),
      dot,
      extremes: [],
    };
  });
}
