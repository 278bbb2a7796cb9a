// Which part is meant by a place of the drawing, and which time by a place that a part is dragged to.
import type { Scene, Vector } from "./data";
import { type Motion, type Passed, place, type Poses } from "./motion";
import type { Part } from "./store";
import type { Placed } from "./viewer";

const NEAR = 12; // pixels

// The nearest joint or point within reach of the pointer.
export function nearestNode(scene: Scene, poses: Poses, pixel: (at: Vector) => Placed, at: Placed): Part | null {
  let [best, found]: [number, Part | null] = [NEAR, null];
  const look = (part: Part, body: string, point: Vector): void => {
    const here = place(poses, body, point);
    if (!here) return;
    const { x, y } = pixel(here);
    const far = Math.hypot(x - at.x, y - at.y);
    if (far < best) [best, found] = [far, part];
  };
  for (const { name, body, at: point, named } of scene.points) if (named) look({ kind: "point", name }, body, point);
  for (const { name, body, at: point } of scene.joints) look({ kind: "joint", name }, body, point);
  return found;
}

// What a frame of the scene is a part of: a body, or the arrow of a force.
export function framePart(scene: Scene, frame: string): Part | null {
  const body = scene.bodies.find((one) => one.name === frame);
  if (body) return body.fixed ? null : { kind: "body", name: frame };
  const acting = /^(?:reaction) (.+?)(?: head)?$/.exec(frame);
  return acting && { kind: "force", name: acting[1] };
}

// Where a part is: a body and a place on it.
export function anchor(scene: Scene, part: Part): { body: string; at: Vector } | null {
  const point = scene.points.find(({ name }) => part.kind === "point" && name === part.name);
  const joint = scene.joints.find(({ name }) => part.kind !== "point" && name === part.name.split(".on_")[0]);
  const found = point ?? joint;
  return found ? { body: found.body, at: found.at } : null;
}

// The bodies that are lit with a part.
export function bodiesOf(scene: Scene, part: Part): string[] {
  if (part.kind === "body") return [part.name];
  if (part.kind === "point") return scene.points.filter(({ name }) => name === part.name).map(({ body }) => body);
  const joint = scene.joints.find(({ name }) => name === part.name.split(".on_")[0]);
  return joint ? joint.between : [];
}

// A point of a body in its own axes.
export function local(poses: Poses, body: string, at: Vector): Vector | null {
  const pose = poses[body];
  if (!pose) return null;
  if (pose.length === 7) {
    const [x, y, z, w, ...v] = pose;
    const back = [0, 0, 0, w, -v[0], -v[1], -v[2]];
    return place({ body: back }, "body", [at[0] - x, at[1] - y, at[2] - z]);
  }
  const [dx, dy] = [at[0] - pose[0], at[1] - pose[1]];
  const [c, s] = [Math.cos(pose[2]), Math.sin(pose[2])];
  return [c * dx + s * dy, c * dy - s * dx];
}

// Follows a hand that drags a point of a body: the time whose place is nearest to the pointer. Times far from the one
// shown count as farther away, so that a path that crosses itself is followed and not left.
export class Scrubber {
  private path: Passed[];

  constructor(
    motion: Motion,
    body: string,
    at: Vector,
    private pixel: (at: Vector) => Placed,
  ) {
    this.path = motion.path(body, at);
    this.span = motion.end - motion.start;
  }
  private span: number;

  time(to: Placed, now: number): number {
    let [best, found] = [Infinity, now];
    for (const { t, at } of this.path) {
      if (!at) continue;
      const { x, y } = this.pixel(at);
      const apart = Math.abs(t - now) / (this.span || 1);
      const round = Math.min(apart, 1 - apart); // a closed motion goes on at its start
      const far = Math.hypot(x - to.x, y - to.y) + 160 * Math.min(apart, round + 0.02);
      if (far < best) [best, found] = [far, t];
    }
    return found;
  }
}

// The place of a moving part that a hand takes: of a body where it is touched, else its joint or point; null: it is fixed.
export function heldPlace(scene: Scene, poses: Poses, part: Part, at: Vector): { body: string; at: Vector } | null {
  const own = part.kind === "body" ? { body: part.name, at: local(poses, part.name, at) } : anchor(scene, part);
  const moves = scene.bodies.find(({ name }) => name === own?.body)?.fixed === false;
  return own?.at && moves ? { body: own.body, at: own.at } : null;
}

// The part of a planar drawing under a place: a joint or point near it, else the body drawn there.
export function pickDrawn(
  svg: SVGSVGElement,
  scene: Scene,
  poses: Poses,
  pixel: (at: Vector) => Placed,
  at: Placed,
): Part | null {
  const near = nearestNode(scene, poses, pixel, at);
  if (near) return near;
  const box = svg.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + at.x, box.top + at.y)?.closest<SVGGElement>("[data-frame]");
  return hit ? framePart(scene, hit.dataset.frame!) : null;
}
