// Poses at any time: cubic between rows where rates are known, else straight; next to a gap there is none.
import type { End, Reach, Scene, Vector } from "./data";
import { rowBefore } from "./rows";

export type Poses = Record<string, Vector | null>;
// A place on a path and when it was passed; null in a gap.
export interface Passed {
  t: number;
  at: Vector | null;
}

export class Motion {
  readonly times: Float64Array;
  readonly start: number;
  readonly end: number;
  readonly width: number; // numbers of a pose: 3 in the plane, 7 in space

  constructor(private scene: Scene) {
    this.times = scene.times;
    this.start = this.times[0];
    this.end = this.times[this.times.length - 1];
    this.width = scene.dimension === 2 ? 3 : 7;
  }

  // Poses of all bodies, or of some.
  at(t: number, bodies: Iterable<string> = Object.keys(this.scene.poses)): Poses {
    const row = rowBefore(this.times, t);
    const next = Math.min(row + 1, this.times.length - 1);
    const step = this.times[next] - this.times[row];
    const part = step > 0 ? Math.min(Math.max((t - this.times[row]) / step, 0), 1) : 0;
    const poses: Poses = {};
    for (const name of bodies) poses[name] = this.between(name, row, next, part, step);
    return poses;
  }

  // The arrow of a reach from its first place to its second, or as it is given at a time; null in a gap.
  along(reach: Reach, poses: Poses, t: number): Vector | null {
    if (reach.second) {
      const [a, b] = [reach.first, reach.second].map((end: End) => place(poses, end.body, end.at));
      return a && b && a.map((x, k) => b[k] - x);
    }
    return this.given(reach.along!, t);
  }

  // Where a reach begins: at its first place, or so far from it as `start` states; null in a gap.
  begin(reach: Reach, poses: Poses, t: number): Vector | null {
    const at = place(poses, reach.first.body, reach.first.at);
    const away = reach.start ? this.given(reach.start, t) : null;
    if (!at || !reach.start) return at;
    return away && at.map((x, k) => x + away[k]);
  }

  // Rows of an arrow at a time, straight between them; null in a gap.
  private given(rows: Float32Array, t: number): Vector | null {
    const size = this.scene.dimension;
    const row = rowBefore(this.times, t);
    const next = Math.min(row + 1, this.times.length - 1);
    const step = this.times[next] - this.times[row];
    const part = step > 0 ? Math.min((t - this.times[row]) / step, 1) : 0;
    const value = (n: number, k: number): number => (n === row || part > 0 ? rows[n * size + k] : 0);
    const out = Array.from({ length: size }, (_, k) => (1 - part) * value(row, k) + part * value(next, k));
    return out.some(Number.isNaN) ? null : out;
  }

  // Places of a body's point over the whole motion; where rows are few, between them too, so that the path is round.
  path(body: string, at: Vector): Passed[] {
    if (this.width === 3 && this.scene.poses[body]) return this.planarPath(body, at);
    const known = body in this.scene.poses ? [body] : [];
    const parts = !this.scene.rates[body] ? 1 : this.times.length < 1000 ? 8 : 4;
    const close = this.scene.size / 1500; // nearer than a pixel or so
    const out: Passed[] = [];
    let last: Vector | null = null;
    this.times.forEach((t, k) => {
      const step = ((this.times[k + 1] ?? t) - t) / parts;
      for (let n = 0; n < (step > 0 ? parts : 1); n++) {
        const now = t + n * step;
        const here = place(this.at(now, known), body, at);
        const ends = k + 1 === this.times.length || here === null || last === null;
        if (!ends && Math.hypot(...here.map((x, axis) => x - last![axis])) < close) continue;
        out.push({ t: now, at: here });
        last = here;
      }
    });
    return out;
  }

  // The same in the plane, where a hand waits for it: numbers alone, no pose is kept.
  private planarPath(body: string, [a, b]: Vector): Passed[] {
    const { times } = this;
    const rates = this.scene.rates[body];
    const numbers = this.scene.poses[body];
    const parts = !rates ? 1 : times.length < 1000 ? 8 : 4;
    const close = (this.scene.size / 1500) ** 2;
    const out: Passed[] = [];
    let [px, py] = [NaN, NaN];
    for (let k = 0; k < times.length; k++) {
      const step = k + 1 < times.length ? times[k + 1] - times[k] : 0;
      for (let n = 0; n < (step > 0 ? parts : 1); n++) {
        const u = n / parts;
        const angle = cubic(numbers[2], rates, 2, k, u, step);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const x = cubic(numbers[0], rates, 0, k, u, step) + c * a - s * b;
        const y = cubic(numbers[1], rates, 1, k, u, step) + s * a + c * b;
        const gap = !(x - x + y - y === 0);
        if (k + 1 < times.length && (x - px) ** 2 + (y - py) ** 2 < close) continue;
        out.push({ t: times[k] + u * step, at: gap ? null : [x, y] });
        [px, py] = [x, y];
      }
    }
    return out;
  }

  // A row of a pose; null where a number is missing.
  private pose(name: string, row: number): Vector | null {
    const out = this.scene.poses[name].map((numbers) => numbers[row]);
    return out.some(Number.isNaN) ? null : out;
  }

  private between(name: string, row: number, next: number, u: number, step: number): Vector | null {
    const a = this.pose(name, row);
    if (u === 0 || next === row) return a;
    const b = this.pose(name, next);
    if (a === null || b === null) return null;
    const rates = this.scene.rates[name];
    const out = new Array<number>(this.width);
    const across = this.width === 7 && dot(a, b) < 0 ? -1 : 1; // p and -p are the same turn
    for (let k = 0; k < this.width; k++) {
      const sign = k > 2 ? across : 1;
      out[k] = (1 - u) * a[k] + u * sign * b[k];
      if (rates) {
        const rise = sign * b[k] - a[k];
        const va = step * rates[row * this.width + k];
        const vb = step * sign * rates[next * this.width + k];
        out[k] += u * (1 - u) * ((1 - u) * (va - rise) + u * (rise - vb));
      }
    }
    if (this.width === 7) {
      const length = Math.hypot(out[3], out[4], out[5], out[6]);
      for (let k = 3; k < 7; k++) out[k] /= length;
    }
    return out;
  }
}

// A number of planar poses so far (0 to 1) behind a row: cubic where rates are known, else straight.
function cubic(v: Float64Array, rates: Float32Array | undefined, column: number, row: number, u: number, step: number) {
  const a = v[row];
  if (u === 0) return a;
  const rise = v[row + 1] - a;
  if (!rates) return a + u * rise;
  const [va, vb] = [step * rates[3 * row + column], step * rates[3 * row + 3 + column]];
  return a + u * rise + u * (1 - u) * ((1 - u) * (va - rise) + u * (rise - vb));
}

function dot(a: Vector, b: Vector): number {
  return a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
}

// r + A s of a point s fixed in a body; a body without poses stands at the origin.
export function place(poses: Poses, body: string, at: Vector): Vector | null {
  const pose = poses[body];
  if (pose === null) return null;
  if (pose === undefined) return at;
  if (pose.length === 3) {
    const c = Math.cos(pose[2]);
    const s = Math.sin(pose[2]);
    return [pose[0] + c * at[0] - s * at[1], pose[1] + s * at[0] + c * at[1]];
  }
  const [, , , w, x, y, z] = pose;
  const [a, b, d] = at;
  const [tx, ty, tz] = [2 * (y * d - z * b), 2 * (z * a - x * d), 2 * (x * b - y * a)];
  return [
    pose[0] + a + w * tx + y * tz - z * ty,
    pose[1] + b + w * ty + z * tx - x * tz,
    pose[2] + d + w * tz + x * ty - y * tx,
  ];
}
