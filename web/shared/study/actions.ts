// Forces and torques on one body at a time, with its inertia by d'Alembert: they are in balance.
import { valueAt } from "../charts/values";
import type { Action, Scene, Vector } from "../data";
import { place, type Poses } from "../motion";

// A force (two numbers) or a torque (one) on a body: from whom, and where in the plane.
export interface Acting {
  name: string; // "A" for the reaction of joint A, "weight", "inertia", the name of a load or driver
  kind: Action["kind"];
  holds: Action["holds"];
  from: string; // the body that exerts it; "" for weight, inertia and applied loads
  at: Vector;
  value: Vector;
}

const ORDER = ["reaction", "driver", "load", "weight", "inertia"];

// What acts on a body: what is stated on it, and the opposite of what it exerts itself.
export function actionsOn(scene: Scene, body: string, poses: Poses, time: number): Acting[] {
  const out: Acting[] = [];
  for (const action of scene.actions) {
    const sign = action.on === body ? 1 : action.by === body ? -1 : 0;
    const first = sign && place(poses, action.body, action.at);
    if (!sign || !first) continue;
    const at = action.start ? first.map((x, k) => x + valueAt(action.start![k], time)) : first;
    const value = action.columns.map((column) => sign * valueAt(column, time));
    if (!value.every(Number.isFinite)) continue;
    const from = (sign > 0 ? action.by : action.on) ?? "";
    out.push({ name: shortName(action, body), kind: action.kind, holds: action.holds, from, at, value });
  }
  return out.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

// "A" of "reaction A.on_crank moment", "gas" of "force gas on piston".
function shortName({ name, kind }: Action, body: string): string {
  if (kind === "reaction") return name.replace("reaction ", "").replace(/\.on_.*$/, "");
  if (kind === "weight" || kind === "inertia") return kind;
  const own = name.endsWith(` on ${body}`) ? name.slice(0, -` on ${body}`.length) : name.replace(/ on [^ ]+$/, "");
  return own.replace(/^(force|driver) /, "").replace(/ effort$/, "");
}

export interface Balance {
  force: Vector; // what is left of the sum of forces
  moment: number; // and of moments about the mean place
  size: number; // of the largest force
  turn: number; // what moments are judged by: the largest, or that of the largest force
}

export function balance(acting: Acting[]): Balance {
  const forces = acting.filter(({ holds }) => holds === "force");
  const middle = [0, 1].map((k) => forces.reduce((sum, { at }) => sum + at[k], 0) / Math.max(forces.length, 1));
  const force = [0, 1].map((k) => forces.reduce((sum, { value }) => sum + value[k], 0));
  const moments = acting.map(({ holds, at, value }) =>
    holds === "torque" ? value[0] : (at[0] - middle[0]) * value[1] - (at[1] - middle[1]) * value[0],
  );
  const size = Math.max(...forces.map(({ value }) => Math.hypot(...value)), 0);
  const reach = Math.max(...forces.map(({ at }) => Math.hypot(at[0] - middle[0], at[1] - middle[1])), 0);
  return {
    force,
    moment: moments.reduce((sum, one) => sum + one, 0),
    size,
    turn: Math.max(size * reach, ...moments.map(Math.abs)),
  };
}
