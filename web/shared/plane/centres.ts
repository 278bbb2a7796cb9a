// Instant centres over the drawing: those of the ground filled, the others hollow; lines on which three of them lie; and the
// centrodes of one body, on which it rolls: the fixed one, and dashed the moving one.
import type { Run, Scene, Vector } from "../data";
import { sampleTimes } from "../charts/axis";
import { type Motion, place, type Poses } from "../motion";
import type { Part } from "../store";
import { type Centre, Twists } from "../study/twists";
import { change, line, make, short } from "../svg";
import type { Placed } from "../viewer";

const MOST = 45; // centres that are drawn: those of ten bodies

export class Centres {
  on = false;
  readonly any: boolean;
  private twists: Twists;
  private fixed: SVGPathElement;
  private moving: SVGPathElement;
  private body = "";

  constructor(
    private layer: SVGGElement, // in pixels
    private below: SVGGElement, // in lengths
    private scene: Scene,
    private run: Run,
    private motion: Motion,
  ) {
    this.twists = new Twists(scene, run);
    this.any = this.twists.missing === "";
    this.fixed = make("path", { class: "centrode" }, below);
    this.moving = make("path", { class: "centrode moving" }, below);
  }

  show(poses: Poses, time: number, selected: Part | null, pixel: (at: Vector) => Placed): void {
    for (const layer of [this.layer, this.below]) change(layer, { display: this.on ? "inline" : "none" });
    if (!this.on || !this.any) return;
    const body = this.chosen(selected);
    this.roll(body, poses);
    const twists = this.twists.at(poses, time);
    const all = this.twists.centres(twists);
    const seen = all.length > MOST ? all.filter(({ absolute }) => absolute) : all;
    this.layer.replaceChildren();
    this.kennedy(all, body, pixel);
    const marked: Placed[] = this.scene.joints.flatMap(({ body: of, at }) => {
      const here = place(poses, of, at); // a centre in a pin needs no name
      return here ? [pixel(here)] : [];
    });
    for (const { pair, at, absolute } of seen) {
      if (!at) continue;
      const spot = pixel(at);
      const data = { "data-centre": pair.join(" "), "data-x": at[0], "data-y": at[1] };
      make(
        "circle",
        { class: absolute ? "centre absolute" : "centre", r: absolute ? 5 : 4, cx: spot.x, cy: spot.y, ...data },
        this.layer,
      );
      const named = absolute || pair.includes(body);
      const free = !marked.some(({ x, y }) => Math.abs(x - spot.x) < 20 && Math.abs(y - spot.y) < 14);
      if (!named || !free) continue;
      marked.push(spot);
      const text = make("text", { class: "centre-name", x: spot.x + 8, y: spot.y - 7 }, this.layer);
      text.textContent = absolute ? `I ${pair[1]}` : `I ${pair[0]}·${pair[1]}`;
    }
  }

  // The body that is selected, else the first one that no joint holds in the frame: of a four-bar the coupler.
  private chosen(selected: Part | null): string {
    const moving = this.twists.bodies.slice(1);
    if (selected?.kind === "body" && moving.includes(selected.name)) return selected.name;
    const fixed = new Set(this.scene.bodies.filter((body) => body.fixed).map((body) => body.name));
    const held = new Set(
      this.scene.joints.flatMap(({ between }) => (between.some((one) => fixed.has(one)) ? between : [])),
    );
    return moving.find((name) => !held.has(name)) ?? moving[0];
  }

  private roll(body: string, poses: Poses): void {
    if (body !== this.body) {
      this.body = body;
      const times = sampleTimes(this.run, [this.motion.start, this.motion.end]);
      const { fixed, moving } = this.twists.centrodes(this.motion, body, times);
      change(this.fixed, { d: line(parted(fixed, this.scene.size)), "data-centrode": body });
      change(this.moving, { d: line(parted(moving, this.scene.size)), "data-centrode": body });
    }
    const pose = poses[body];
    this.moving.style.display = pose ? "" : "none";
    const [x, y, phi] = pose ?? [0, 0, 0];
    change(this.moving, { transform: `translate(${short(x)} ${short(y)}) rotate(${short((phi * 180) / Math.PI)})` });
  }

  // The centres of the ground, the body and each body that it is joined to lie on one line.
  private kennedy(centres: Centre[], body: string, pixel: (at: Vector) => Placed): void {
    const ground = this.twists.bodies[0];
    const of = (a: string, b: string): Vector | null =>
      centres.find(({ pair }) => pair.includes(a) && pair.includes(b))?.at ?? null;
    const joined = this.scene.joints.filter(({ between }) => between.includes(body)).flatMap(({ between }) => between);
    for (const other of new Set(joined)) {
      if (other === body || other === ground) continue;
      const places = [of(ground, body), of(ground, other), of(body, other)].filter((at) => at !== null);
      if (places.length < 3) continue;
      const [a, b, c] = places.map(pixel);
      const pairs = [
        [a, b],
        [b, c],
        [a, c],
      ].sort((p, q) => far(q) - far(p));
      const [from, to] = pairs[0];
      make("path", { class: "kennedy", d: `M${from.x} ${from.y}L${to.x} ${to.y}` }, this.layer);
    }
  }
}

function far([a, b]: Placed[]): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// A path that passes through infinity is parted there.
function parted(places: (Vector | null)[], size: number): (Vector | null)[] {
  return places.flatMap((at, k) => {
    const before = places[k - 1];
    const leaps = at && before && Math.hypot(at[0] - before[0], at[1] - before[1]) > size;
    return leaps ? [null, at] : [at];
  });
}
