// A mechanism that was let loose: the server advances it in true time, and the pointer pulls the link that it holds.
import { GROUND, type Vector } from "../shared/data";
import { place, type Poses } from "../shared/motion";
import { local } from "../shared/picking";
import type { Part } from "../shared/store";
import type { Edit } from "../shared/viewer";
import { Lane } from "./connection";
import type { Frame } from "./messages";
import { NO_SKETCH } from "./overlay";
import type { Studio } from "./start";

export class Release {
  on = false;
  private lane: Lane;
  private held: { body: string; at: Vector; to: Vector } | null = null;
  private asked = 0; // when the last frame was asked for
  poses: Poses = {}; // of the newest frame
  frames = 0;

  constructor(private studio: Studio) {
    this.lane = new Lane(studio.connection);
  }

  // Releases the mechanism from where it is shown, at rest.
  begin(): void {
    const { plane, motion, clock } = this.studio;
    if (!plane || !motion) return;
    this.studio.edit(true);
    clock.pause();
    this.studio.store.change({ selected: null });
    [this.on, this.held, this.frames, this.poses] = [true, null, 0, motion.at(clock.time)];
    document.body.dataset.released = "0";
    plane.turn("forces", false); // they belong to the driven motion
    this.lane.answered(); // a former motion is over
    this.ask(true);
    this.studio.words.released(() => this.end());
  }

  end(): void {
    if (!this.on) return;
    this.on = false;
    this.studio.overlay.sketch = NO_SKETCH;
    delete document.body.dataset.released;
    const layer = document.querySelector('[data-layer="forces"]');
    this.studio.plane?.turn("forces", layer?.getAttribute("aria-pressed") === "true");
    this.studio.words.again();
    this.studio.redraw();
  }

  // The newest positions; the next are asked for with the next picture.
  frame({ poses, t }: Frame): void {
    this.lane.answered();
    const { plane } = this.studio;
    if (!this.on || !plane) return;
    this.poses = { ...this.poses, ...poses };
    document.body.dataset.released = String(++this.frames);
    this.draw();
    document.getElementById("time")!.textContent = `t = ${t.toFixed(2)}`;
    requestAnimationFrame(() => this.on && this.ask(false));
  }

  private draw(): void {
    const { plane, overlay, clock } = this.studio;
    const here = this.held && place(this.poses, this.held.body, this.held.at);
    overlay.sketch = here ? { ...NO_SKETCH, guides: [[here, this.held!.to]], target: here } : NO_SKETCH;
    plane!.show(this.poses, clock.time);
  }

  // Holds a part: a link where it was taken, a joint or a point where it is.
  hold(over: Part | null, at: Vector): Edit | null {
    const { scene, overlay } = this.studio;
    const fixed = new Set(scene!.bodies.filter((one) => one.fixed).map(({ name }) => name));
    const joint = over?.kind === "joint" ? scene!.joints.find(({ name }) => name === over.name.split(".on_")[0]) : null;
    const point = scene!.points.find(({ name }) => over?.kind === "point" && name === over.name);
    const near = overlay.near(
      at,
      12,
      new Set(overlay.places().flatMap((one) => (fixed.has(one.body) ? [one.reference] : []))),
    );
    const free = joint?.between.find((name) => name !== GROUND && !fixed.has(name));
    const body = (over?.kind === "body" ? over.name : null) ?? free ?? point?.body ?? near?.body;
    const own = body && !fixed.has(body) ? local(this.poses, body, at) : null;
    if (!body || !own) return null;
    this.held = { body, at: own, to: at };
    return {
      move: (to) => {
        if (this.held) this.held = { ...this.held, to };
      },
      end: () => (this.held = null),
    };
  }

  private ask(begin: boolean): void {
    const now = performance.now();
    const seconds = begin ? 0 : Math.min((now - this.asked) / 1000, 0.1);
    this.asked = now;
    this.lane.ask({ do: "live", begin, t: this.studio.clock.time, seconds, ...this.held });
  }
}
