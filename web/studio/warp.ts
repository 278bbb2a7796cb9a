// A scene whose bodies have other points, until the server has drawn it anew: every corner of a shape follows the point of
// its body that it is nearest to. Bars keep their round ends and their width; only their slant is a little off.
import type { Reach, Run, Scene, Stroke, Vector } from "../shared/data";
import { floats, type Moved, type Pin } from "./messages";

export function warped(scene: Scene, pins: Pin[], points: Record<string, Vector>): Scene {
  const shifts = new Map<string, { from: Vector; by: Vector }[]>();
  for (const [reference, body, at] of pins) {
    const to = points[reference] ?? at;
    shifts.set(body, [...(shifts.get(body) ?? []), { from: at, by: [to[0] - at[0], to[1] - at[1]] }]);
  }
  const move = (body: string, at: Vector): Vector => {
    const known = shifts.get(body);
    if (!known) return at;
    let [best, by]: [number, Vector] = [Infinity, [0, 0]];
    for (const one of known) {
      const far = Math.hypot(at[0] - one.from[0], at[1] - one.from[1]);
      if (far < best) [best, by] = [far, one.by];
    }
    return by[0] || by[1] ? [at[0] + by[0], at[1] + by[1]] : at;
  };
  const moved = new Set([...shifts].filter(([, all]) => all.some(({ by }) => by[0] || by[1])).map(([body]) => body));
  const still = (body: string): boolean => !moved.has(body);
  const end = <T extends { body: string; at: Vector }>(one: T): T =>
    still(one.body) ? one : { ...one, at: move(one.body, one.at) };
  return {
    ...scene,
    strokes: scene.strokes.map((stroke: Stroke) =>
      still(stroke.frame) ? stroke : { ...stroke, points: stroke.points.map((at) => move(stroke.frame, at)) },
    ),
    joints: scene.joints.map(end),
    points: scene.points.map((point) => (points[point.name] ? { ...point, at: points[point.name] } : end(point))),
    texts: scene.texts.map((text) =>
      still(text.body) ? text : { ...text, anchors: text.anchors.map((at) => move(text.body, at)) },
    ),
    lines: scene.lines.map((line) =>
      still(line.frame) ? line : { ...line, points: line.points.map((at) => move(line.frame, at)) },
    ),
    reaches: scene.reaches.map((reach) => ({
      ...reach,
      first: end(reach.first),
      ...(reach.second && { second: end(reach.second) }),
    })),
  };
}

// The scene with the arrows of forces as they are at one time, and the run with the sizes of the reactions.
export function loaded(
  scene: Scene,
  base: { scene: Scene; run: Run },
  { arrows, sizes }: NonNullable<Moved["forces"]>,
): { scene: Scene; run: Run } {
  const rows = scene.times.length;
  const always = (text: string): Float32Array => {
    const one = floats(text);
    return Float32Array.from({ length: rows * one.length }, (_, k) => one[k % one.length]);
  };
  const drawn = base.scene.reaches.flatMap((reach): Reach[] => {
    const own = reach.to_scale ? arrows[reach.name] : undefined;
    return own ? [{ ...reach, along: always(own[0]), start: own[1] ? always(own[1]) : undefined }] : [];
  });
  const columns = base.run.columns.map((column) => {
    const size = sizes[column.name];
    if (size === undefined) return column;
    return {
      ...column,
      t: new Float64Array([0]),
      v: new Float64Array([size]),
      slope: undefined,
      gaps: new Set<number>(),
    };
  });
  const reaches = [...scene.reaches, ...drawn];
  return { scene: { ...scene, reaches, forces: base.scene.forces }, run: { ...base.run, columns } };
}

// The scene with another motion: poses at other times, without rates.
export function moving(scene: Scene, times: Float64Array, poses: Record<string, Float64Array>): Scene {
  const rows = times.length;
  const width = scene.dimension === 2 ? 3 : 7;
  const columns = Object.entries(poses).map(([body, flat]): [string, Float64Array[]] => [
    body,
    Array.from({ length: width }, (_, k) => flat.subarray(k * rows, (k + 1) * rows)),
  ]);
  // arrows of loads belong to the former times
  const reaches = scene.reaches.filter((reach) => reach.second);
  return { ...scene, times, poses: Object.fromEntries(columns), rates: {}, reaches, forces: null };
}
