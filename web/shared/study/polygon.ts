// The polygons of velocities and accelerations. Every joint has a corner: its velocity, or acceleration, from the pole.
// From corner to corner of one body leads what its rotation adds, ω × r; of accelerations the normal part −ω² r and the
// tangential part α × r. In a joint that slides the two bodies have two corners, between them the sliding velocity u; of
// accelerations the Coriolis part 2 ω × u, with ω of the body that guides, and the acceleration along the guide.
import type { Scene, Vector } from "../data";
import { place, type Poses } from "../motion";
import { acceleration, type Twist, velocity } from "./twists";

export type Kind = "absolute" | "rotation" | "normal" | "tangential" | "sliding" | "Coriolis";
export interface Leg {
  name: string; // "C/B", "slot: block on arm"
  body: string; // that it belongs to
  kind: Kind;
  from: Vector;
  to: Vector;
}
export interface Corner {
  name: string;
  value: Vector;
}
export interface Polygon {
  legs: Leg[];
  corners: Corner[];
}
interface Node {
  name: string;
  at: Vector;
}

const NONE = 1e-9; // of the largest: a part that is none

const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1]];
const size = (a: Vector): number => Math.hypot(a[0], a[1]);

export function polygonOf(scene: Scene, twists: Map<string, Twist>, poses: Poses, of: "v" | "a"): Polygon {
  const value = of === "v" ? velocity : acceleration;
  const nodes = nodesOf(scene, poses);
  const values = [...nodes].flatMap(([body, own]) =>
    twists.has(body) ? own.map(({ at }) => size(value(twists.get(body)!, at))) : [],
  );
  const none = NONE * Math.max(...values, 0);
  const legs: Leg[] = [];
  const corners = new Map<string, Corner>();
  const corner = (name: string, at: Vector): void => {
    if (size(at) > none) corners.set(name, { name, value: at });
  };
  const slides = slidingLegs(scene, twists, poses, of, none);
  for (const [body, own] of nodes) {
    const twist = twists.get(body);
    if (!twist) continue;
    const [base, ...others] = [...own].sort((a, b) => rank(value(twist, a.at), none) - rank(value(twist, b.at), none));
    for (const node of others) legs.push(...rotationLegs(body, twist, base, node, of, none));
    for (const node of own) corner(slides.names.get(`${body} ${node.name}`) ?? node.name, value(twist, node.at));
  }
  const fromPole = legs.filter(({ from }) => size(from) <= none);
  for (const { name, value: to } of corners.values())
    if (!fromPole.some((leg) => size(minus(leg.to, to)) <= none))
      legs.push({ name, body: "", kind: "absolute", from: [0, 0], to });
  return {
    legs: [...legs, ...slides.legs].filter(({ from, to }) => size(minus(to, from)) > none),
    corners: [...corners.values()],
  };
}

// A corner at the pole comes first: from it the others are reached.
function rank(value: Vector, none: number): number {
  return size(value) > none ? 1 : 0;
}

// Joints and named points of every body that moves.
function nodesOf(scene: Scene, poses: Poses): Map<string, Node[]> {
  const out = new Map<string, Node[]>(scene.bodies.filter(({ fixed }) => !fixed).map(({ name }) => [name, []]));
  const add = (body: string, name: string, at: Vector | null): void => {
    const own = out.get(body);
    const near = 1e-9 * scene.size;
    if (!own || !at || own.some((node) => size(minus(node.at, at)) < near)) return;
    own.push({ name, at });
  };
  for (const { name, body, at, between } of scene.joints)
    for (const one of between) add(one, name, place(poses, body, at));
  for (const { name, body, at, named } of scene.points) if (named) add(body, name, place(poses, body, at));
  return out;
}

function rotationLegs(body: string, twist: Twist, base: Node, node: Node, of: "v" | "a", none: number): Leg[] {
  const name = `${node.name}/${base.name}`;
  if (of === "v")
    return [{ name, body, kind: "rotation", from: velocity(twist, base.at), to: velocity(twist, node.at) }];
  const from = acceleration(twist, base.at);
  const arm = minus(node.at, base.at);
  const middle = plus(from, [-(twist.omega ** 2) * arm[0], -(twist.omega ** 2) * arm[1]]);
  const to = acceleration(twist, node.at);
  const normal: Leg = { name, body, kind: "normal", from, to: middle };
  const tangential: Leg = { name, body, kind: "tangential", from: middle, to };
  return [normal, tangential].filter((leg) => size(minus(leg.to, leg.from)) > none);
}

// Between the corners of two bodies that slide on each other, and the names that tell these corners apart.
function slidingLegs(
  scene: Scene,
  twists: Map<string, Twist>,
  poses: Poses,
  of: "v" | "a",
  none: number,
): { legs: Leg[]; names: Map<string, string> } {
  const legs: Leg[] = [];
  const names = new Map<string, string>();
  const fastest = Math.max(...[...twists.values()].map(({ v, omega }) => size(v) + Math.abs(omega) * scene.size), 0);
  for (const { name, body, at, between } of scene.joints) {
    const [first, second] = between.map((one) => twists.get(one));
    const here = place(poses, body, at);
    if (!first || !second || !here) continue;
    const u = minus(velocity(second, here), velocity(first, here));
    if (size(u) <= NONE * fastest) continue;
    const [guide, slider] = between;
    for (const one of between) names.set(`${one} ${name}`, `${name} of ${one}`);
    const label = `${name}: ${slider} on ${guide}`;
    if (of === "v") {
      legs.push({
        name: label,
        body: slider,
        kind: "sliding",
        from: velocity(first, here),
        to: velocity(second, here),
      });
      continue;
    }
    const from = acceleration(first, here);
    const middle = plus(from, [-2 * first.omega * u[1], 2 * first.omega * u[0]]);
    legs.push({ name: label, body: slider, kind: "Coriolis", from, to: middle });
    legs.push({ name: label, body: slider, kind: "sliding", from: middle, to: acceleration(second, here) });
  }
  return { legs: legs.filter(({ from, to }) => size(minus(to, from)) > none), names };
}
