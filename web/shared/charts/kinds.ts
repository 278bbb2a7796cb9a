// Charts of one column over another that have names: the path of a point, the hodograph of its velocity, the polar diagram
// of a force, each with equal axes; and the phase portrait of a coordinate.
import type { Column } from "../data";
import type { ChartSpec } from "../store";

const NAMES: Record<string, string> = {
  y: "path (y over x)",
  vy: "hodograph of the velocity",
  ay: "hodograph of the acceleration",
  fy: "polar diagram of the force",
};

export interface ChartKind {
  name: string;
  spec: ChartSpec;
}

// The kinds that a chart's first column can be shown as.
export function kindsOf(column: Column, known: Map<string, Column>): ChartKind[] {
  const out: ChartKind[] = [];
  const vector = /^(.+\.)([vaf]?)[xyz]$/.exec(column.name);
  if (vector) {
    const [over, up] = ["x", "y"].map((axis) => `${vector[1]}${vector[2]}${axis}`);
    const name = NAMES[`${vector[2]}y`];
    if (known.has(over) && known.has(up)) out.push({ name, spec: { columns: [up], over } });
  }
  if (column.derivative && known.has(column.derivative))
    out.push({ name: "phase portrait", spec: { columns: [column.derivative], over: column.name } });
  return out;
}

// Whether both axes show one vector, which has one scale.
export function sharesScale({ columns, over }: ChartSpec): boolean {
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
