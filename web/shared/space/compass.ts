// Directions of the ground axes in the corner, with their letters, and what a mesh of the floor measures.
import * as THREE from "three";
import { change, make } from "../svg";

const LONG = 26; // pixels

export class Compass {
  private group: SVGGElement;
  private arms: { line: SVGLineElement; text: SVGTextElement }[];
  private note: SVGTextElement;

  constructor(overlay: SVGSVGElement, note: string) {
    this.group = make("g", { class: "compass" }, overlay);
    this.arms = ["x", "y", "z"].map((letter) => {
      const arm = { line: make("line", {}, this.group), text: make("text", {}, this.group) };
      arm.text.textContent = letter;
      return arm;
    });
    this.note = make("text", { class: "mesh" }, this.group);
    this.note.textContent = note;
  }

  show(camera: THREE.Camera, wide: number, high: number): void {
    const [x, y] = [44, high - 62];
    this.arms.forEach(({ line, text }, k) => {
      const seen = new THREE.Vector3().setComponent(k, 1).transformDirection(camera.matrixWorldInverse);
      change(line, { x1: x, y1: y, x2: x + LONG * seen.x, y2: y - LONG * seen.y });
      change(text, { x: x + 1.4 * LONG * seen.x, y: y - 1.4 * LONG * seen.y + 4 });
    });
    change(this.note, { x: wide - 12, y: high - 12 });
  }
}
