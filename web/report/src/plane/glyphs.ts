// Joints by what they leave free: pins, blocks between rails, slots, welds; hatched supports under pins of the frame.
import type { End, Joint, Scene, Vector } from "../data";
import type { Poses } from "../motion";
import { line, make } from "../svg";
import type { Layer, Layers } from "./layers";

export function drawJoint(layers: Layers, joint: Joint, width: number, unit: number, first: Poses): void {
  const { scene } = layers;
  if (joint.glyph === "slider" || joint.glyph === "slot") return drawGuide(layers, joint, width, first);
  if (joint.glyph === "pin") {
    const end = fixedEnd(joint, scene);
    if (stands(joint)) drawSupport(layers, end, standHeight(width, unit));
    drawPin(layers, joint.second, width);
    if (joint.driven) drawTurning(layers, joint.grounded ? end : joint.second, turningRadius(width, unit), unit);
  }
  if (joint.glyph === "weld") {
    const half = 0.42 * width;
    const [x, y] = joint.second.at;
    make(
      "rect",
      { class: "weld", x: x - half, y: y - half, width: 2 * half, height: 2 * half },
      layers.of(joint.second.body, "pins"),
    );
  }
}

function stands(joint: Joint): boolean {
  return joint.grounded && joint.glyph === "pin" && joint.kind !== "circle";
}

function standHeight(width: number, unit: number): number {
  return Math.max(1.5 * width, 12 * unit);
}

export function turningRadius(width: number, unit: number): number {
  return Math.max(1.15 * width, 9 * unit);
}

// Corners of the support under a joint, for names to keep clear of; none where there is no support.
export function standCorners(joint: Joint, scene: Scene, width: number, unit: number): Vector[] {
  if (!stands(joint)) return [];
  const [x, y] = fixedEnd(joint, scene).at;
  const high = standHeight(width, unit);
  return [
    [x, y],
    [x - 1.1 * high, y - 1.3 * high],
    [x + 1.1 * high, y - 1.3 * high],
    [x, y - 0.6 * high],
  ];
}

export function drawPin(layers: Layers, end: End, width: number): void {
  make("circle", { class: "pin", cx: end.at[0], cy: end.at[1], r: 0.36 * width }, layers.of(end.body, "pins"));
}

function fixedEnd(joint: Joint, scene: Scene): End {
  return scene.bodies.find((body) => body.name === joint.first.body)!.fixed ? joint.first : joint.second;
}

function drawSupport(layers: Layers, end: End, high: number): void {
  const [x, y] = end.at;
  const half = 0.75 * high;
  const group = layers.of(end.body, "guides");
  make(
    "path",
    {
      class: "stand",
      d: line(
        [
          [x, y],
          [x - half, y - high],
          [x + half, y - high],
        ],
        true,
      ),
    },
    group,
  );
  hatched(layers, end.body, [x - 1.5 * half, y - high], [x + 1.5 * half, y - high], 0.32 * high);
}

// The ground: a line, with short strokes on the right-hand side of the way from start to end.
function hatched(layers: Layers, body: string, start: Vector, end: Vector, deep: number): void {
  const along = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(along[0], along[1]);
  const u = [along[0] / length, along[1] / length];
  const slant = [u[1] - 0.7 * u[0], -u[0] - 0.7 * u[1]];
  const count = Math.min(Math.max(Math.round(length / (0.9 * deep)), 3), 200);
  const comb: (Vector | null)[] = [start, end, null];
  for (let k = 0; k < count; k++) {
    const part = (k + 0.75) / count;
    const foot = [start[0] + part * along[0], start[1] + part * along[1]];
    comb.push(foot, [foot[0] + deep * slant[0], foot[1] + deep * slant[1]], null);
  }
  make("path", { class: "hatching", d: line(comb) }, layers.of(body, "guides"));
}

// An arrow around a driven pin.
function drawTurning(layers: Layers, end: End, radius: number, unit: number): void {
  const at = (degrees: number, r: number): Vector => [
    end.at[0] + r * Math.cos((degrees * Math.PI) / 180),
    end.at[1] + r * Math.sin((degrees * Math.PI) / 180),
  ];
  const [from, to] = [130, 395]; // degrees
  const arc = Array.from({ length: 28 }, (_, k) => at(from + ((to - from) * k) / 27, radius));
  const head = [
    at(to + ((9 * unit) / radius) * 57.3, radius),
    at(to, radius + 4.5 * unit),
    at(to, radius - 4.5 * unit),
  ];
  const group = layers.of(end.body, "pins");
  make("path", { class: "turning", d: line(arc) }, group);
  make("path", { class: "arrow", d: line(head, true) }, group);
}

// A block between rails, or a pin in a slot; rails in the first body, as long as the motion needs them.
function drawGuide(layers: Layers, joint: Joint, width: number, first: Poses): void {
  const u = joint.axis;
  const n = [-u[1], u[0]];
  const slot = joint.glyph === "slot";
  const half = (slot ? 0.75 : 1.5) * width;
  const high = (slot ? 0.6 : 0.8) * width;
  const [low, far] = joint.travel ?? [0, 0];
  const on = (along: number, across: number): Vector =>
    [0, 1].map((k) => joint.first.at[k] + along * u[k] + across * n[k]);
  const body = layers.scene.bodies.find((entry) => entry.name === joint.first.body)!;
  if (slot) {
    const cap = Array.from({ length: 13 }, (_, k) => Math.PI / 2 + (k * Math.PI) / 12);
    const ring = [
      ...cap.map((a) => on(low - 1.5 * half + high * Math.cos(a), high * Math.sin(a))),
      ...cap.map((a) => on(far + 1.5 * half - high * Math.cos(a), -high * Math.sin(a))),
    ];
    make("path", { class: "slot", d: line(ring, true) }, layers.of(body.name, "glyphs"));
    return drawPin(layers, joint.second, width);
  }
  for (const side of [-1, 1]) {
    const rail = [low - 1.5 * half, far + 1.5 * half].map((along) => on(along, side * (high + 0.12 * width)));
    if (body.fixed) hatched(layers, body.name, rail[side < 0 ? 0 : 1], rail[side < 0 ? 1 : 0], 0.55 * width);
    else make("path", { class: "rail", d: line(rail) }, layers.of(body.name, "guides"));
  }
  drawBlock(layers, joint, half, high, first);
}

// A slider does not turn in its guide, so its block is fixed in the second body.
function drawBlock(layers: Layers, joint: Joint, half: number, high: number, first: Poses): void {
  const turn = (first[joint.first.body]?.[2] ?? 0) - (first[joint.second.body]?.[2] ?? 0);
  const angle = ((turn + Math.atan2(joint.axis[1], joint.axis[0])) * 180) / Math.PI;
  const [x, y] = joint.second.at;
  const layer: Layer = "glyphs";
  make(
    "rect",
    {
      class: "block",
      x: -half,
      y: -high,
      width: 2 * half,
      height: 2 * high,
      transform: `translate(${x} ${y}) rotate(${angle})`,
    },
    layers.of(joint.second.body, layer),
  );
}
