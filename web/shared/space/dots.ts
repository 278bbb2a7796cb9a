// The points of interest of a mechanism in space, as dots over its picture.
import type { Scene } from "../data";
import { change, make } from "../svg";
import type { Placed } from "../viewer";

export class Dots {
  private dots: { element: SVGCircleElement; body: string; at: number[] }[];

  constructor(overlay: SVGSVGElement, scene: Scene) {
    const layer = make("g", { class: "dots" }, overlay);
    this.dots = scene.points.map(({ name, body, at, named }) => {
      const attributes = { class: named ? "dot" : "dot unnamed", r: named ? 4 : 3, "data-point": name };
      return { element: make("circle", attributes, layer), body, at };
    });
  }

  show(where: (body: string, at: number[]) => number[] | null, pixel: (at: number[]) => Placed): void {
    for (const { element, body, at } of this.dots) {
      const here = where(body, at);
      element.style.display = here ? "" : "none";
      if (!here) continue;
      const { x, y } = pixel(here);
      change(element, { cx: x, cy: y });
      [element.dataset.x, element.dataset.y, element.dataset.z] = here.map(String);
    }
  }
}
