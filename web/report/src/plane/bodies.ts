// Links with a dark edge and a light face, wheels and cams as thin areas.
import type { Body, Scene, Vector } from "../data";
import { line, make } from "../svg";
import type { Layers } from "./layers";

// Width of a link: a part of the typical length of bars and plates, within what is readable. `unit` is a pixel.
export function linkWidth(scene: Scene, unit: number): number {
  const lengths = scene.bodies
    .flatMap((body) => body.shapes.filter((shape) => shape.kind !== "curve"))
    .map((shape) => Math.max(...[0, 1].map((k) => extent(shape.points!.map((point) => point[k])))))
    .sort((a, b) => a - b);
  const typical = lengths.length ? lengths[lengths.length >> 1] : 0.3 * scene.size;
  return Math.min(Math.max(0.075 * typical, 5 * unit), 13 * unit);
}

function extent(values: number[]): number {
  return Math.max(...values) - Math.min(...values);
}

export function drawBody(layers: Layers, body: Body, width: number, unit: number): void {
  for (const shape of body.shapes) {
    const points = shape.points!;
    if (shape.kind === "curve") {
      const bare = body.shapes.length === 1 && !shape.filled && !body.fixed; // the axes of a body without points
      const group = layers.of(body.name, shape.filled || body.fixed ? "behind" : "glyphs");
      make(
        "path",
        { class: `curve${shape.filled ? " filled" : ""}${bare ? " bare" : ""}`, d: line(points, shape.filled) },
        group,
      );
    } else if (body.fixed) {
      make("path", { class: "frame", d: line(points, shape.kind === "plate") }, layers.of(body.name, "behind"));
    } else {
      const path = line(points, shape.kind === "plate");
      const group = layers.of(body.name, "links");
      make("path", { class: "edge", d: path, "stroke-width": width }, group);
      make("path", { class: `face ${shape.kind}`, d: path, "stroke-width": Math.max(width - 3 * unit, unit) }, group);
    }
  }
}

// Places, in body axes, where a name may stand: the middles of its links, its axes, else its joints.
export function nameAnchor(scene: Scene, body: Body): Vector | null {
  const shape = body.shapes.find((entry) => entry.kind !== "curve");
  if (shape) {
    const points = shape.points!;
    if (shape.kind === "plate") return middle(points);
    const half = points.length >> 1;
    return points.length % 2 ? middle([points[half - 1], points[half]]) : middle([points[half - 1], points[half]]);
  }
  const curve = body.shapes[0];
  if (curve) return curve.filled ? curve.points![curve.points!.length >> 3] : curve.points![1];
  for (const joint of scene.joints) {
    if (joint.glyph === "ram" && joint.first.body === body.name && joint.travel && joint.kind !== "distance") {
      return joint.first.at.map((x, k) => x + 0.4 * joint.travel![0] * joint.axis[k]);
    }
  }
  const end = scene.joints.flatMap((joint) => [joint.second, joint.first]).find((entry) => entry.body === body.name);
  return end ? end.at : null;
}

export function middle(points: Vector[]): Vector {
  return [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
}
