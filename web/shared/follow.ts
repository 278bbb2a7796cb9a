// What travels: a vehicle or a walker goes much further than it is large. A view that goes along shows it as large as it is.
import type { Scene, Vector } from "./data";
import { type Motion, place, type Poses } from "./motion";

const FAR = 2; // of its own size: what goes further travels
const AROUND = 0.2; // of its own size: as much of its path is seen
const [SAMPLES, MOST] = [30, 60]; // positions at which it is measured, and places of a shape

export class Travel {
  readonly far: boolean; // whether it travels
  on = false; // whether a view goes along
  box: [Vector, Vector] = [[], []]; // of everything that moves, from what is followed
  private moving: Set<string>;
  private fixed: Set<string>;
  private flat: Vector; // 1 for the directions that it is followed in: across what is up

  constructor(
    private scene: Scene,
    private motion: Motion,
  ) {
    const names = (fixed: boolean): string[] =>
      scene.bodies.filter((one) => one.fixed === fixed).map(({ name }) => name);
    this.moving = new Set(names(false));
    this.fixed = new Set(names(true));
    this.flat = scene.up.slice(0, scene.dimension).map((part) => (Math.abs(part) > 0.5 ? 0 : 1));
    const samples = this.samples();
    const along = longest(span(samples.map(({ poses }) => this.centre(poses))));
    this.far = along > 0.4 * scene.size || scene.walk !== undefined; // what is large beside its path is not measured
    if (!this.far) return;
    const [low, high] = span(samples.flatMap(({ poses }) => this.places(poses, this.moving, this.centre(poses))));
    const ground = span(this.places(samples[0].poses, this.fixed));
    const tall = Math.max(...this.flat.map((across, k) => (1 - across) * (ground[1][k] - ground[0][k]))); // a bowl
    const own = Math.max(longest([low, high]), tall);
    if (!scene.walk) this.far = along > FAR * own;
    const room = this.flat.map((across) => (scene.walk ? 0 : across * AROUND * own));
    this.box = [low.map((x, k) => x - room[k]), high.map((x, k) => x + room[k])];
    if (scene.walk) [this.box[0][1], this.box[1][1]] = [scene.walk.ground, scene.walk.high];
  }

  // What a view goes along with; null: it stays.
  followed(poses: Poses): Vector | null {
    return this.on && this.far ? this.centre(poses) : null;
  }

  // Places that are seen: of everything over the whole motion, or of what is followed where it is.
  seen(now: Poses): Vector[] {
    const at = this.followed(now);
    const { scene, motion } = this;
    if (at) {
      const [low, high] = this.box;
      const corners = Array.from({ length: 2 ** at.length }, (_, k) =>
        at.map((_, n) => ((k >> n) & 1 ? high : low)[n]),
      );
      return corners.map((corner) => corner.map((x, n) => x + at[n]));
    }
    const samples = this.samples();
    const tips = scene.reaches.filter((reach) => reach.to_scale);
    return samples.flatMap(({ poses, time }, k) => [
      ...this.places(poses, k ? this.moving : new Set([...this.moving, ...this.fixed])),
      ...tips.flatMap((reach) => {
        const [from, step] = [motion.begin(reach, poses, time), motion.along(reach, poses, time)];
        return from && step ? [from.map((x, n) => x + step[n])] : [];
      }),
    ]);
  }

  private samples(): { time: number; poses: Poses }[] {
    const { start, end } = this.motion;
    const times = Array.from({ length: SAMPLES + 1 }, (_, k) => start + ((end - start) * k) / SAMPLES);
    return times.map((time) => ({ time, poses: this.motion.at(time) }));
  }

  // Where it is, across what is up: a walker's trunk, else the middle of all that moves.
  private centre(poses: Poses): Vector | null {
    const found = (this.scene.walk ? [this.scene.walk.body] : [...this.moving]).map((body) => poses[body]);
    const known = found.filter((pose) => pose) as Vector[];
    const mean = (k: number): number => known.reduce((sum, pose) => sum + pose[k], 0) / known.length;
    return known.length ? this.flat.map((across, k) => across && mean(k)) : null;
  }

  // Places of the shapes of some bodies, from one of their own.
  private places(poses: Poses, bodies: Set<string>, from: Vector | null = this.flat.map(() => 0)): Vector[] {
    const { strokes, solids } = this.scene;
    const out: Vector[] = [];
    const add = (frame: string, count: number, at: (k: number) => Vector): void => {
      if (!bodies.has(frame)) return;
      for (let k = 0; k < count; k += Math.ceil(count / MOST)) {
        const here = from && place(poses, frame, at(k));
        if (here) out.push(from!.map((x, n) => here[n] - x));
      }
    };
    for (const { frame, points } of strokes) add(frame, points.length, (k) => points[k]);
    for (const { frame, places: all } of solids)
      add(frame, all.length / 3, (k) => [all[3 * k], all[3 * k + 1], all[3 * k + 2]]);
    return out;
  }
}

// Least and greatest of every coordinate.
function span(places: readonly (Vector | null)[]): [Vector, Vector] {
  const low: Vector = [];
  const high: Vector = [];
  for (const at of places)
    at?.forEach((x, k) => {
      if (!(x >= low[k])) low[k] = Number.isFinite(x) ? x : (low[k] ?? NaN);
      if (!(x <= high[k])) high[k] = Number.isFinite(x) ? x : (high[k] ?? NaN);
    });
  return low.length
    ? [low, high]
    : [
        [0, 0, 0],
        [0, 0, 0],
      ];
}

function longest([low, high]: [Vector, Vector]): number {
  return Math.max(...low.map((x, k) => high[k] - x));
}
