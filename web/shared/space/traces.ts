// Paths of points in space, whole or up to now.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Scene } from "../data";
import type { Motion } from "../motion";
import { rowBefore } from "../rows";
import { vector } from "./solids";

const WIDE = 2.5; // pixels of a path

export class Traces {
  readonly group = new THREE.Group();
  growing = false;
  private pieces: { line: Line2; times: number[] }[] = [];

  constructor(scene: Scene, motion: Motion) {
    for (const point of scene.points) {
      const colour = scene.bodies.find((body) => body.name === point.body)!.colour;
      const material = new LineMaterial({ color: colour, linewidth: WIDE, transparent: true, opacity: 0.85 });
      let [piece, times]: [THREE.Vector3[], number[]] = [[], []];
      const end = (): void => {
        if (piece.length > 1) {
          const line = new Line2(new LineGeometry().setFromPoints(piece), material);
          this.pieces.push({ line, times });
          this.group.add(line);
        }
        [piece, times] = [[], []];
      };
      for (const { t, at } of motion.path(point.body, point.at)) {
        if (!at) end();
        else {
          piece.push(vector(at));
          times.push(t);
        }
      }
      end();
    }
  }

  show(time: number): void {
    for (const { line, times } of this.pieces) {
      const seen = this.growing ? (time < times[0] ? 0 : rowBefore(times, time) + 1) : times.length;
      line.geometry.instanceCount = Math.max(seen - 1, 0); // pieces between places
    }
  }
}
