// Lines of a DXF drawing: LINE, LWPOLYLINE, POLYLINE, CIRCLE and ARC, in the drawing's units.
import type { Vector } from "../shared/data";

const TURN = 2 * Math.PI;
const MILLIMETRES: Record<number, number> = { 1: 25.4, 2: 304.8, 4: 1, 5: 10, 6: 1000 }; // $INSUNITS

export interface Drawing {
  lines: Vector[][];
  millimetre: number; // of one of its units
}

export function readDxf(text: string): Drawing {
  const rows = text.split(/\r?\n/);
  const pairs: [number, string][] = [];
  for (let k = 0; k + 1 < rows.length; k += 2) pairs.push([Number(rows[k]), rows[k + 1].trim()]);
  const unit = pairs.findIndex(([, value]) => value === "$INSUNITS");
  const lines: Vector[][] = [];
  let at = Math.max(
    pairs.findIndex(([code, value]) => code === 2 && value === "ENTITIES"),
    0,
  );
  let open: Vector[] | null = null; // a POLYLINE whose vertices follow
  while (++at < pairs.length) {
    const [code, kind] = pairs[at];
    if (code !== 0) continue;
    const given: [number, number][] = [];
    for (let k = at + 1; k < pairs.length && pairs[k][0] !== 0; k++) given.push([pairs[k][0], Number(pairs[k][1])]);
    if (kind === "POLYLINE") lines.push((open = []));
    else if (kind === "VERTEX" && open) open.push([first(given, 10), first(given, 20)]);
    else lines.push(...entity(kind, given));
  }
  return { lines: lines.filter((line) => line.length > 1), millimetre: MILLIMETRES[Number(pairs[unit + 1]?.[1])] ?? 1 };
}

function first(given: [number, number][], code: number): number {
  return given.find(([one]) => one === code)?.[1] ?? 0;
}

function entity(kind: string, given: [number, number][]): Vector[][] {
  const value = (code: number): number => first(given, code);
  if (kind === "LINE")
    return [
      [
        [value(10), value(20)],
        [value(11), value(21)],
      ],
    ];
  if (kind === "LWPOLYLINE") {
    const [xs, ys] = [10, 20].map((code) => given.filter(([one]) => one === code).map(([, x]) => x));
    const line = xs.map((x, k): Vector => [x, ys[k]]);
    return [value(70) & 1 ? [...line, line[0]] : line];
  }
  if (kind !== "CIRCLE" && kind !== "ARC") return [];
  const [from, to] = kind === "CIRCLE" ? [0, TURN] : [50, 51].map((code) => (value(code) * Math.PI) / 180);
  const sweep = kind === "CIRCLE" ? TURN : (((to - from) % TURN) + TURN) % TURN;
  const count = Math.max(Math.ceil((64 * sweep) / TURN), 2);
  return [
    Array.from({ length: count + 1 }, (_, k): Vector => {
      const angle = from + (sweep * k) / count;
      return [value(10) + value(40) * Math.cos(angle), value(20) + value(40) * Math.sin(angle)];
    }),
  ];
}
