// Names of bodies, points and joints in the plane, clear of links and of each other.
import type { Scene, Vector } from "../data";
import { Labels, type Segment, type Wanted } from "../labels";
import { place, type Poses } from "../motion";
import type { Placed } from "../viewer";

interface Named extends Wanted {
  body: string;
  at: number[];
  clear: number;
}
const POINT = 5; // pixels that a name keeps away from its point

export class Names {
  on = true;
  private named: Named[];
  private labels: Labels;

  constructor(
    layer: SVGGElement,
    private scene: Scene,
  ) {
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    this.named = scene.texts.map(({ text, of, body, anchors, clear }) => {
      const colour = of === "body" ? colours.get(body) : undefined;
      return { text, kind: of, colour, body, at: anchors[0], clear };
    });
    this.labels = new Labels(layer, this.named);
  }

  // `reaches`: ends of what leads from body to body; `room`: width and height that names stay in.
  show(
    poses: Poses,
    reaches: [Vector | null, Vector | null][],
    pixel: (at: Vector) => Placed,
    scale: number,
    room: [number, number],
  ): void {
    if (!this.on) return this.labels.hide();
    const anchors = this.named.map(({ body, at }) => {
      const here = place(poses, body, at);
      return here && pixel(here);
    });
    const clear = this.named.map((entry) => (entry.kind === "point" ? POINT : entry.clear * scale + 1));
    this.labels.place(anchors, this.lines(poses, reaches, pixel), clear, ...room);
  }

  private lines(poses: Poses, reaches: [Vector | null, Vector | null][], pixel: (at: Vector) => Placed): Segment[] {
    const out: Segment[] = [];
    const add = (a: Vector | null, b: Vector | null): void => {
      if (!a || !b) return;
      const [p, q] = [pixel(a), pixel(b)];
      out.push([p.x, p.y, q.x, q.y]);
    };
    for (const { frame, points } of this.scene.lines) {
      const [a, b] = points.map((point) => place(poses, frame, point));
      add(a, b);
    }
    for (const [a, b] of reaches) add(a, b);
    return out;
  }
}
