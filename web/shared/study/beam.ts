// N, V, M along a link that is taken for a beam. It is cut at s; on the part before the cut act what enters there and, of
// a link whose mass is spread along it, its weight and inertia q(s) = µ (g − a(s)), which is linear along a straight part:
//
//   N = −R·e (tension positive),   V = R·n,   M = P(s) × R − H,   dM/ds = V
//
// with R their sum, H their moment about the origin, e along the beam and n to its left.
import type { Vector } from "../data";
import type { Acting } from "./actions";

export interface Line {
  corners: Vector[]; // in the plane
  masses: { mass: number; at: Vector }[]; // added masses, in the plane
  spread: number; // mass along the line; 0 where it is taken at its centre
  field: (at: Vector) => Vector; // g − a there
}
export interface Cut {
  s: number;
  n: number;
  v: number;
  m: number;
}

const SAMPLES = 24; // of a piece between entries
const GAUSS = 1 / Math.sqrt(3); // two places integrate a cubic exactly

const cross = (a: Vector, b: Vector): number => a[0] * b[1] - a[1] * b[0];

export function internalForces(line: Line, acting: Acting[]): Cut[] {
  const starts = lengths(line.corners);
  const total = starts[starts.length - 1];
  const entries = acting.map((one) => ({
    s: foot(line.corners, starts, one.at),
    force: one.holds === "force" ? one.value : [0, 0],
    moment: one.holds === "force" ? cross(one.at, one.value) : one.value[0],
  }));
  for (const { mass, at } of line.masses) {
    const force = line.field(at).map((x) => mass * x);
    entries.push({ s: foot(line.corners, starts, at), force, moment: cross(at, force) });
  }
  const breaks = [...new Set([...starts, ...entries.map(({ s }) => s)])].sort((a, b) => a - b);
  const density = line.spread / total;
  let [own, turn]: [Vector, number] = [[0, 0], 0]; // of the mass before a piece
  const out: Cut[] = [];
  for (let k = 0; k + 1 < breaks.length; k++) {
    const [low, high] = [breaks[k], breaks[k + 1]];
    if (high - low <= 1e-12 * total) continue;
    const before = entries.filter(({ s }) => s <= low);
    const whole = mass(line, starts, density, low, high);
    for (let n = 0; n <= SAMPLES; n++) {
      const s = low + ((high - low) * n) / SAMPLES;
      const part = mass(line, starts, density, low, s);
      const force = [0, 1].map((j) => own[j] + part.force[j] + before.reduce((sum, one) => sum + one.force[j], 0));
      const moment = turn + part.moment + before.reduce((sum, one) => sum + one.moment, 0);
      const { at, e } = along(line.corners, starts, s, 0.5 * (low + high));
      const normal = e[0] * force[1] - e[1] * force[0];
      out.push({ s, n: -(force[0] * e[0] + force[1] * e[1]), v: normal, m: cross(at, force) - moment });
    }
    own = own.map((x, j) => x + whole.force[j]);
    turn += whole.moment;
  }
  return out;
}

export function lengths(corners: Vector[]): number[] {
  const out = [0];
  for (let k = 1; k < corners.length; k++)
    out.push(out[k - 1] + Math.hypot(corners[k][0] - corners[k - 1][0], corners[k][1] - corners[k - 1][1]));
  return out;
}

// The place at a length, and the direction of the straight part that another length lies in.
function along(corners: Vector[], starts: number[], s: number, within: number): { at: Vector; e: Vector } {
  let k = 0;
  while (k + 2 < starts.length && starts[k + 1] <= within) k++;
  const length = starts[k + 1] - starts[k];
  const e = [0, 1].map((j) => (corners[k + 1][j] - corners[k][j]) / length);
  return { at: corners[k].map((x, j) => x + (s - starts[k]) * e[j]), e };
}

// Sum and moment of q between two lengths of one straight part.
function mass(
  line: Line,
  starts: number[],
  density: number,
  low: number,
  high: number,
): { force: Vector; moment: number } {
  if (!density || high <= low) return { force: [0, 0], moment: 0 };
  const [middle, half] = [(low + high) / 2, (high - low) / 2];
  let [force, moment] = [[0, 0], 0];
  for (const side of [-GAUSS, GAUSS]) {
    const { at } = along(line.corners, starts, middle + side * half, middle);
    const q = line.field(at).map((x) => density * half * x);
    force = force.map((x, j) => x + q[j]);
    moment += cross(at, q);
  }
  return { force, moment };
}

// The length along the beam nearest to a place.
function foot(corners: Vector[], starts: number[], at: Vector): number {
  const total = starts[starts.length - 1];
  let [best, found] = [Infinity, 0];
  for (let k = 0; k + 1 < corners.length; k++) {
    const length = starts[k + 1] - starts[k];
    const e = [0, 1].map((j) => (corners[k + 1][j] - corners[k][j]) / length);
    const arm = at.map((x, j) => x - corners[k][j]);
    const gone = Math.min(Math.max(arm[0] * e[0] + arm[1] * e[1], 0), length);
    const away = Math.hypot(arm[0] - gone * e[0], arm[1] - gone * e[1]);
    if (away < best - 1e-12 * total) [best, found] = [away, starts[k] + gone];
  }
  const corner = starts.find((start) => Math.abs(start - found) <= 1e-9 * total);
  return corner ?? found;
}
