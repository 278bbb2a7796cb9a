// Charts of one column over another that have names: the path of a point, the hodograph of its velocity, the locus of a
// force, each with equal axes; the phase portrait of a coordinate; and columns around the circle of an angle.
import type { Column } from "../data";
import { conversion, unitsLike } from "../numbers";
import type { ChartSpec } from "../store";

const NAMES: Record<string, string> = {
  y: "path (y over x)",
  vy: "hodograph of the velocity",
  ay: "hodograph of the acceleration",
  fy: "locus of the force (fy over fx)",
};

export interface ChartKind {
  name: string;
  spec: ChartSpec;
}

// The kinds that a chart's first column can be shown as.
export function kindsOf(column: Column, known: Map<string, Column>, together: string[] = [column.name]): ChartKind[] {
  const out: ChartKind[] = [];
  const vector = /^(.+\.)([vaf]?)[xyz]$/.exec(column.name);
  if (vector) {
    const [over, up] = ["x", "y"].map((axis) => `${vector[1]}${vector[2]}${axis}`);
    const name = NAMES[`${vector[2]}y`];
    if (known.has(over) && known.has(up)) out.push({ name, spec: { columns: [up], over } });
  }
  if (column.derivative && known.has(column.derivative))
    out.push({ name: "phase portrait", spec: { columns: [column.derivative], over: column.name } });
  const around = [...known.values()].find((one) => /\.(value|phi|q)$/.test(one.name) && turns(one));
  if (around && around !== column)
    out.push({ name: `polar over ${around.name}`, spec: { columns: together, over: around.name, polar: true } });
  return out;
}

// Whether a column is an angle that goes round once at least.
function turns({ unit, v }: Column): boolean {
  const like = unitsLike(unit);
  if (!like.includes("rev")) return false;
  return Math.abs(v[v.length - 1] - v[0]) * conversion(unit, "rev") > 0.99;
}

// Whether a chart is as high as it is wide.
export function isSquare(spec: ChartSpec): boolean {
  return !!spec.polar || sharesScale(spec);
}

// Whether both axes show one vector, which has one scale.
export function sharesScale({ columns, over, polar }: ChartSpec): boolean {
  if (polar) return false;
  const partner = over?.replace(/x$/, "y");
  return !!over && over.endsWith("x") && columns.length === 1 && columns[0] === partner;
}

// Both ranges as wide as one length of pixels for one value asks for.
export function equalRanges(
  across: [number, number],
  up: [number, number],
  wide: number,
  high: number,
): [[number, number], [number, number]] {
  const per = Math.max((across[1] - across[0]) / wide, (up[1] - up[0]) / high);
  const spread = ([low, top]: [number, number], pixels: number): [number, number] => {
    const middle = (low + top) / 2;
    return [middle - (per * pixels) / 2, middle + (per * pixels) / 2];
  };
  return [spread(across, wide), spread(up, high)];
}
