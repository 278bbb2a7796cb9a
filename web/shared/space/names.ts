// Names in space: beside what they name, clear of lines, and pale where something hides what they name.
import * as THREE from "three";
import type { Scene } from "../data";
import { Labels, type Segment, type Wanted } from "../labels";
import { place, type Poses } from "../motion";
import type { Placed } from "../viewer";
import { type Solids, vector } from "./solids";

const CLEAR = 9; // pixels between a name and its place
const LOOK = 200; // milliseconds from one look at what hides them to the next

interface Named extends Wanted {
  body: string;
  at: number[];
}

export class Names {
  on = true;
  private named: Named[];
  private labels: Labels;
  private looked = -Infinity;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    layer: SVGGElement,
    private scene: Scene,
    private solids: Solids,
  ) {
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    this.named = scene.texts.map(({ text, of, body, anchors }) => {
      return { text, kind: of, colour: of === "body" ? colours.get(body) : undefined, body, at: anchors[0] };
    });
    this.labels = new Labels(layer, this.named);
  }

  show(poses: Poses, pixel: (at: number[]) => Placed, camera: THREE.Camera, wide: number, high: number): void {
    if (!this.on) return this.labels.hide();
    const places = this.named.map(({ body, at }) => place(poses, body, at));
    const anchors = places.map((here) => here && pixel(here));
    const clear = this.named.map(() => CLEAR);
    this.labels.place(anchors, this.lines(poses, pixel), clear, wide, high);
    const look = () => {
      this.looked = performance.now();
      const towards = camera.getWorldDirection(new THREE.Vector3()).negate();
      this.labels.fade(
        places.map((here, k) => here !== null && this.solids.hides(this.named[k].body, vector(here), towards)),
      );
    };
    clearTimeout(this.later);
    const wait = this.looked + LOOK - performance.now();
    if (wait > 0)
      this.later = setTimeout(look, wait); // the last picture is looked at too
    else look();
  }

  private lines(poses: Poses, pixel: (at: number[]) => Placed): Segment[] {
    return this.scene.lines.flatMap(({ frame, points }) => {
      const ends = points.map((at) => place(poses, frame, at));
      if (!ends[0] || !ends[1]) return [];
      const [a, b] = [pixel(ends[0]), pixel(ends[1])];
      return [[a.x, a.y, b.x, b.y] as Segment];
    });
  }
}
