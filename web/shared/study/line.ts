// The line that a link is as a beam: that of strength with its mass along it, else the line between its joints with the
// mass at its centre.
import { valueAt } from "../charts/values";
import type { Run, Scene, Vector } from "../data";
import { place, type Poses } from "../motion";
import type { Acting } from "./actions";
import type { Line } from "./beam";

export interface Found {
  line: Line;
  entries: Acting[]; // what enters the line
  ends: [string, string];
  note: string;
}

export function beamLine(
  scene: Scene,
  run: Run,
  name: string,
  poses: Poses,
  time: number,
  acting: Acting[],
): Found | string {
  const known = scene.beams[name];
  const spots = scene.joints.flatMap(({ name: joint, body, at, between }) => {
    const here = between.includes(name) ? place(poses, body, at) : null;
    return here ? [{ joint, here }] : [];
  });
  if (known) {
    const corners = known.corners.map((at) => place(poses, name, at)!);
    const masses = known.added.map(([mass, at]) => ({ mass, at: place(poses, name, at)! }));
    const field = accelerationField(scene, run, name, poses, time, acting);
    if (!field) return "N, V and M need the velocities and accelerations of the link; the page has not each of them.";
    const seat = known.torque_at ? place(poses, name, known.torque_at) : frameJoint(scene, name, poses);
    const entries = acting
      .filter(({ kind }) => kind !== "weight" && kind !== "inertia")
      .map((one) => (one.holds === "torque" && one.kind !== "reaction" && seat ? { ...one, at: seat } : one));
    const ends: [string, string] = [known.points[0], known.points[known.points.length - 1]];
    return {
      line: { corners, masses, spread: known.mass, field },
      entries,
      ends,
      note: "The section’s line, its mass spread along it, as strength takes it.",
    };
  }
  const [a, b] = farthest(spots);
  if (!a || !b) return "N, V and M need a line: this link has not two joints at different places.";
  const line: Line = { corners: [a.here, b.here], masses: [], spread: 0, field: () => [0, 0] };
  const note = `Along the line ${a.joint}–${b.joint}, with weight and inertia at the centre of mass; give the body a [section] for the real distribution.`;
  return { line, entries: acting, ends: [a.joint, b.joint], note };
}

type Spot = { joint: string; here: Vector };

function farthest(spots: Spot[]): [Spot | null, Spot | null] {
  let [best, pair]: [number, [Spot | null, Spot | null]] = [0, [null, null]];
  for (const a of spots)
    for (const b of spots) {
      const far = Math.hypot(a.here[0] - b.here[0], a.here[1] - b.here[1]);
      if (far > best * (1 + 1e-9)) [best, pair] = [far, [a, b]];
    }
  return pair;
}

// Where the link is joined to the frame: torques on it enter there.
function frameJoint(scene: Scene, name: string, poses: Poses): Vector | null {
  const fixed = new Set(scene.bodies.filter((body) => body.fixed).map((body) => body.name));
  const seats = scene.joints.filter(({ between }) => between.includes(name) && between.some((one) => fixed.has(one)));
  return seats.length === 1 ? place(poses, seats[0].body, seats[0].at) : null;
}

// g − a of any place of a link, from weight and inertia at its centre of mass and its rotation.
function accelerationField(
  scene: Scene,
  run: Run,
  name: string,
  poses: Poses,
  time: number,
  acting: Acting[],
): ((at: Vector) => Vector) | null {
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const [omega, alpha] = ["omega", "alpha"].map((word) => known.get(`${name}.${word}`));
  const mass = scene.masses[name];
  if (!mass) return () => [0, 0];
  const centre = place(poses, name, mass.center);
  if (!omega || !alpha || !centre) return null;
  const [w, e] = [omega, alpha].map((column) => valueAt(column, time) * scene.radians);
  const own = acting.filter(({ kind, holds }) => holds === "force" && (kind === "weight" || kind === "inertia"));
  const pull = [0, 1].map((k) => own.reduce((sum, { value }) => sum + value[k], 0) / mass.mass);
  return ([x, y]) => {
    const [rx, ry] = [x - centre[0], y - centre[1]];
    return [pull[0] + e * ry + w * w * rx, pull[1] - e * rx + w * w * ry];
  };
}
