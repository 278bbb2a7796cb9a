// What reaches from one body to another: rams, massless rods and springs.
import type { End, Scene } from "../data";
import { place, type Poses } from "../motion";
import { change, line, make, short } from "../svg";
import { drawPin } from "./glyphs";
import type { Layers } from "./layers";

type Fit = (length: number) => void;
interface Stretch {
  first: End;
  second: End;
  groups: SVGGElement[];
  fit: Fit;
}

export class Stretches {
  private held: Stretch[] = [];

  constructor(layers: Layers, scene: Scene, width: number) {
    for (const joint of scene.joints) {
      if (joint.glyph === "ram") {
        const barrel = 0.72 * (joint.travel?.[0] ?? 0);
        const behind = make("g", {}, layers.groups.links);
        const front = make("g", {}, layers.groups.glyphs);
        const rod = make("line", { class: "piston", x1: 0.9 * barrel, "stroke-width": 0.42 * width }, behind);
        make("rect", { class: "barrel", y: -0.62 * width, width: barrel, height: 1.24 * width }, front);
        this.held.push({ ...joint, groups: [behind, front], fit: (length) => change(rod, { x2: short(length) }) });
      } else if (joint.glyph === "rod") {
        const group = make("g", {}, layers.groups.links);
        const rod = make("line", { class: "rod", "stroke-width": 0.4 * width }, group);
        this.held.push({ ...joint, groups: [group], fit: (length) => change(rod, { x2: short(length) }) });
      } else continue;
      drawPin(layers, joint.first, width);
      drawPin(layers, joint.second, width);
    }
    for (const spring of scene.springs) {
      const group = make("g", {}, layers.groups.glyphs);
      const coil = make("path", { class: "coil" }, group);
      this.held.push({ ...spring, groups: [group], fit: (length) => change(coil, { d: zigzag(length, 0.9 * width) }) });
    }
  }

  move(poses: Poses): void {
    for (const { first, second, groups, fit } of this.held) {
      const a = place(poses, first.body, first.at);
      const b = place(poses, second.body, second.at);
      for (const group of groups) group.style.display = a && b ? "" : "none";
      if (!a || !b) continue;
      const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
      for (const group of groups)
        change(group, { transform: `translate(${short(a[0])} ${short(a[1])}) rotate(${short(angle)})` });
      fit(Math.hypot(b[0] - a[0], b[1] - a[1]));
    }
  }

  // Ends of everything that reaches from body to body, for names to keep clear of.
  lines(poses: Poses): [number[], number[]][] {
    return this.held.flatMap(({ first, second }) => {
      const a = place(poses, first.body, first.at);
      const b = place(poses, second.body, second.at);
      return a && b ? [[a, b] as [number[], number[]]] : [];
    });
  }
}

const TURNS = 8;

function zigzag(length: number, high: number): string {
  const teeth = Array.from({ length: 2 * TURNS }, (_, k) => [
    length * (0.18 + (0.64 * (k + 0.5)) / (2 * TURNS)),
    k % 2 ? high : -high,
  ]);
  return line([[0, 0], [0.18 * length, 0], ...teeth, [0.82 * length, 0], [length, 0]]);
}
