// Velocities and accelerations of bodies in the plane, from columns of the run; and where two bodies have the same velocity:
// their instant centre. Three bodies have three, on one line (Aronhold 1872, Kennedy 1886).
import { valueAt } from "../charts/values";
import { type Column, GROUND, type Run, type Scene, type Vector } from "../data";
import { type Motion, type Poses } from "../motion";

const PARALLEL = 1e-9; // of the largest angular velocity: the centre of two bodies that turn alike is at infinity
const AWAY = 4; // sizes of the mechanism: centres farther away are not drawn

export interface Twist {
  at: Vector; // the body's origin
  v: Vector;
  omega: number;
  a: Vector;
  alpha: number;
}
export interface Centre {
  pair: [string, string];
  at: Vector | null; // null: at infinity
  angle: number; // the direction in which it lies there, in radians
  absolute: boolean; // of a body against the ground
}

const REST: Twist = { at: [0, 0], v: [0, 0], omega: 0, a: [0, 0], alpha: 0 };
const WORDS = ["vx", "vy", "omega", "ax", "ay", "alpha"];

export class Twists {
  readonly bodies: string[]; // the ground first, then what moves
  readonly missing: string; // why there are none; empty where there are
  private columns = new Map<string, Column[]>();
  private fixed: string;

  constructor(
    private scene: Scene,
    run: Run,
  ) {
    const known = new Map(run.columns.map((column) => [column.name, column]));
    const moving = scene.bodies.filter(({ fixed }) => !fixed).map(({ name }) => name);
    for (const name of moving) {
      const own = WORDS.map((word) => known.get(`${name}.${word}`));
      if (own.every((column) => column)) this.columns.set(name, own as Column[]);
    }
    this.fixed = scene.bodies.find(({ fixed }) => fixed)?.name ?? GROUND;
    this.bodies = [this.fixed, ...moving.filter((name) => this.columns.has(name))];
    this.missing =
      scene.dimension === 3
        ? "Instant centres and velocity polygons are those of the plane; this mechanism moves in space."
        : this.columns.size
          ? ""
          : "This run has no velocities and accelerations of bodies.";
  }

  at(poses: Poses, time: number): Map<string, Twist> {
    const out = new Map<string, Twist>(this.scene.bodies.filter(({ fixed }) => fixed).map(({ name }) => [name, REST]));
    for (const [name, columns] of this.columns) {
      const pose = poses[name];
      if (!pose) continue;
      const [vx, vy, omega, ax, ay, alpha] = columns.map((column) => valueAt(column, time));
      const { radians } = this.scene;
      out.set(name, {
        at: pose.slice(0, 2),
        v: [vx, vy],
        omega: omega * radians,
        a: [ax, ay],
        alpha: alpha * radians,
      });
    }
    return out;
  }

  // The centre of every pair of bodies.
  centres(twists: Map<string, Twist>): Centre[] {
    const known = this.bodies.filter((name) => twists.has(name));
    const largest = Math.max(...[...twists.values()].map(({ omega }) => Math.abs(omega)), 1e-300);
    return known.flatMap((first, k) =>
      known.slice(k + 1).map((second): Centre => {
        const found = centreOf(twists.get(first)!, twists.get(second)!, PARALLEL * largest);
        return { pair: [first, second], ...found, absolute: first === this.fixed };
      }),
    );
  }

  // The paths of a body's centre against the ground: in the ground, and in the body itself.
  centrodes(motion: Motion, body: string, times: number[]): { fixed: (Vector | null)[]; moving: (Vector | null)[] } {
    const [low, high] = this.scene.box;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    const fixed: (Vector | null)[] = [];
    const moving: (Vector | null)[] = [];
    for (const time of times) {
      const poses = motion.at(time);
      const twist = this.at(poses, time).get(body);
      const at = twist ? centreOf(REST, twist, 0).at : null;
      const near = at && Math.hypot(at[0] - middle[0], at[1] - middle[1]) < AWAY * this.scene.size;
      fixed.push(near ? at : null);
      moving.push(near ? inBody(poses[body]!, at) : null);
    }
    return { fixed, moving };
  }
}

// Velocity of a place of a body.
export function velocity({ at, v, omega }: Twist, [x, y]: Vector): Vector {
  return [v[0] - omega * (y - at[1]), v[1] + omega * (x - at[0])];
}

// a + α × r − ω² r.
export function acceleration({ at, a, omega, alpha }: Twist, [x, y]: Vector): Vector {
  const [rx, ry] = [x - at[0], y - at[1]];
  return [a[0] - alpha * ry - omega * omega * rx, a[1] + alpha * rx - omega * omega * ry];
}

// Where both have one velocity: u + ω × p = 0 of the relative motion, with u that of the ground's origin.
export function centreOf(a: Twist, b: Twist, least: number): { at: Vector | null; angle: number } {
  const omega = b.omega - a.omega;
  const [ua, ub] = [velocity(a, [0, 0]), velocity(b, [0, 0])];
  const u = [ub[0] - ua[0], ub[1] - ua[1]];
  const angle = Math.atan2(u[0], -u[1]); // across the relative velocity
  return Math.abs(omega) <= least || omega === 0 ? { at: null, angle } : { at: [-u[1] / omega, u[0] / omega], angle };
}

function inBody([x, y, phi]: Vector, at: Vector): Vector {
  const [dx, dy, c, s] = [at[0] - x, at[1] - y, Math.cos(phi), Math.sin(phi)];
  return [c * dx + s * dy, c * dy - s * dx];
}
