// What the page holds: the scene (docs/scene.md), and the columns of the run.

export type Vector = number[];
export interface End {
  body: string;
  at: Vector;
}
export interface Shape {
  kind: string;
  points?: Vector[];
  filled?: boolean;
  from?: Vector;
  to?: Vector;
  radius?: number;
  inner?: number;
  length?: number;
  size?: Vector;
  at?: Vector;
  turned?: Vector;
}
export interface Body {
  name: string;
  colour: string;
  fixed: boolean;
  shapes: Shape[];
}
export interface Joint {
  name: string;
  kind: string;
  glyph: string;
  first: End;
  second: End;
  axis: Vector;
  driven: boolean;
  grounded: boolean;
  travel?: [number, number];
}
export interface Spring {
  name: string;
  first: End;
  second: End;
}
export interface Dot {
  name: string;
  body: string;
  at: Vector;
  named: boolean;
}
export interface SceneEvent {
  t: number;
  kind: string;
  message: string;
}
export interface Scene {
  name: string;
  dimension: 2 | 3;
  units: { length: string; time: string; angle: string };
  size: number;
  up: Vector;
  box: [Vector, Vector];
  times: number[];
  bodies: Body[];
  poses: Record<string, (Vector | null)[]>;
  joints: Joint[];
  springs: Spring[];
  points: Dot[];
  events: SceneEvent[];
}

// A column; times of its own where it was thinned for drawing. `group` says which columns share a chart.
export interface Column {
  name: string;
  unit: string;
  group: string;
  colour: string | null;
  t: Float64Array;
  v: Float64Array;
  slope?: Float64Array; // its derivative at the same times, where the run has it
}
export interface Run {
  columns: Column[];
  shown: string[];
  rates: Record<string, Float32Array>;
}

const DERIVATIVES: Record<string, string> = { phi: "omega", omega: "alpha", value: "rate" };

// "P.vx" of "P.x", "rocker.omega" of "rocker.phi", "A.v2" of "A.q2": the names of result columns.
function derivative(name: string): string {
  const cut = name.lastIndexOf(".") + 1;
  const [owner, tail] = [name.slice(0, cut), name.slice(cut)];
  if (/^[xyz]$/.test(tail)) return `${owner}v${tail}`;
  if (/^(v[xyz]|v\d*)$/.test(tail)) return `${owner}a${tail.slice(1)}`;
  if (/^q\d*$/.test(tail)) return `${owner}v${tail.slice(1)}`;
  return owner + (DERIVATIVES[tail] ?? "");
}

function bytes(text: string): ArrayBuffer {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) out[k] = raw.charCodeAt(k);
  return out.buffer;
}

function embedded(id: string): any {
  return JSON.parse(document.getElementById(id)!.textContent!);
}

export function readScene(): Scene {
  return embedded("scene");
}

// Numbers are base64 of little-endian doubles: exact, half as long as text, and with room for NaN.
export function readRun(): Run {
  const held = embedded("run");
  const times = new Float64Array(bytes(held.times));
  const columns: Column[] = held.columns.map((column: any) => ({
    ...column,
    unit: column.unit.replace("^2", "²"),
    t: column.t ? new Float64Array(bytes(column.t)) : times,
    v: new Float64Array(bytes(column.v)),
  }));
  const known = new Map(columns.map((column) => [column.name, column]));
  for (const column of columns) {
    const slope = known.get(derivative(column.name));
    if (slope && slope.t === times && column.t === times) column.slope = slope.v;
  }
  const rates: Record<string, Float32Array> = {};
  for (const body in held.rates) rates[body] = new Float32Array(bytes(held.rates[body]));
  return { columns, shown: held.shown, rates };
}
