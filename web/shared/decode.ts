// The scene and the columns of the run from what a page or a server holds.
import { parabolic } from "./charts/values";
import type { Action, Column, Curve, OtherScene, Run, Samples, Scene, Stroke, Vector } from "./data";
import { denseCurve, differenceOf } from "./reference";

// Numbers are base64 of little-endian numbers: exact, half as long as text, and with room for NaN; or their bytes, which
// several may share.
export function bytes(text: string | ArrayBuffer): ArrayBuffer {
  if (typeof text !== "string") return text;
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) out[k] = raw.charCodeAt(k);
  return out.buffer;
}

function pairs(flat: Float32Array): Vector[] {
  return Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k], flat[2 * k + 1]]);
}

// What a page or a server sends: the run's columns, and the scene that they move.
export function decode(run: any, scene: any): { run: Run; scene: Scene } {
  const columns = decodeRun(run);
  return { run: columns, scene: decodeScene(scene, columns) };
}

function curve(data: any): Curve | undefined {
  return data && { t: new Float64Array(bytes(data.t)), v: new Float64Array(bytes(data.v)) };
}

function decodeRun(data: any): Run {
  const times = new Float64Array(bytes(data.times));
  const others = data.reference_times && new Float64Array(bytes(data.reference_times));
  const referenced = (v: string): Curve => denseCurve(others, new Float64Array(bytes(v)));
  const columns: Column[] = data.columns.map((column: any) => ({
    ...column,
    unit: column.unit.replace("^2", "²").replace("^3", "³"),
    t: column.t ? new Float64Array(bytes(column.t)) : times,
    v: new Float64Array(bytes(column.v)),
    gaps: new Set(column.gaps ?? []),
    samples: curve(column.samples),
    reference: column.reference && (column.reference.t ? curve(column.reference) : referenced(column.reference.v)),
  }));
  const known = new Map(columns.map((column) => [column.name, column]));
  columns.push(...columns.filter(({ reference }) => reference).map(differenceOf));
  for (const column of columns) {
    if (column.t !== times) continue; // least and greatest values are joined by straight lines
    const slope = column.derivative && known.get(column.derivative);
    const per = column.per ?? 1;
    column.slope = !slope ? parabolic(times, column.v) : per === 1 ? slope.v : slope.v.map((rate) => per * rate);
  }
  return { times, rows: new Float64Array(bytes(data.rows)), columns, shown: data.shown, axis: data.axis ?? null };
}

function decodeScene(data: any, run: Run): Scene {
  const rates: Record<string, Float32Array> = {};
  const times = data.times ? new Float64Array(bytes(data.times)) : run.times;
  for (const body in data.rates) rates[body] = new Float32Array(bytes(data.rates[body]));
  return {
    ...data,
    other: data.other && readOther(data.other),
    rates,
    times,
    poses: readPoses(data, run),
    actions: (data.actions ?? []).map((action: any) => readAction(action, data.times ? null : run, times)),
    reaches: data.reaches.map((reach: any) => ({
      ...reach,
      along: reach.along && new Float32Array(bytes(reach.along)),
      start: reach.start && new Float32Array(bytes(reach.start)),
    })),
    strokes: (data.strokes ?? []).map(readStroke),
    solids: (data.solids ?? []).map((solid: any) => ({
      ...solid,
      places: new Float32Array(bytes(solid.places)),
      normals: new Float32Array(bytes(solid.normals)),
      triangles: new Uint32Array(bytes(solid.triangles)),
    })),
  };
}

function readStroke(stroke: any): Stroke {
  return { ...stroke, points: pairs(new Float32Array(bytes(stroke.points))) };
}

function readOther(data: any): OtherScene {
  const poses: Record<string, Float64Array[]> = {};
  for (const body in data.poses) {
    const rows = new Float64Array(bytes(data.poses[body]));
    poses[body] = Array.from({ length: 3 }, (_, k) => rows.filter((_, n) => n % 3 === k));
  }
  const rates: Record<string, Float32Array> = {};
  for (const body in data.rates) rates[body] = new Float32Array(bytes(data.rates[body]));
  return { ...data, strokes: data.strokes.map(readStroke), times: new Float64Array(bytes(data.times)), poses, rates };
}

// Columns of a force or torque; one row stands for all.
function readAction(data: any, run: Run | null, times: Float64Array): Action {
  const start = data.start && readSamples(data.start, 2, times);
  if (data.columns)
    return {
      ...data,
      start,
      columns: data.columns.map((name: string) => run!.columns.find((one) => one.name === name)!),
    };
  return { ...data, start, columns: readSamples(data.values, data.holds === "force" ? 2 : 1, times) };
}

// Rows of so many numbers, or one row of what does not change.
function readSamples(text: string, width: number, times: Float64Array): Samples[] {
  const numbers = new Float32Array(bytes(text));
  return Array.from({ length: width }, (_, k): Samples => {
    const v = Float64Array.from(numbers.filter((_, n) => n % width === k));
    if (v.length === 1) return { t: times.slice(0, 1), v, gaps: new Set() };
    return { t: times, v, slope: parabolic(times, v), gaps: new Set() };
  });
}

// Poses are columns of the run, by name; of a long run, whose columns are thinned, they come row by row.
function readPoses(data: any, run: Run): Record<string, Float64Array[]> {
  const known = new Map(run.columns.map((column) => [column.name, column.v]));
  const width = data.dimension === 2 ? 3 : 7;
  const out: Record<string, Float64Array[]> = {};
  for (const body in data.poses) {
    const given = data.poses[body];
    if (!Array.isArray(given)) {
      const rows = new Float64Array(bytes(given));
      out[body] = Array.from({ length: width }, (_, k) => rows.filter((_, n) => n % width === k));
    } else {
      out[body] = given.map((name: string) => known.get(name)!);
      if (width === 3) out[body][2] = out[body][2].map((angle) => angle * data.radians);
    }
  }
  return out;
}
