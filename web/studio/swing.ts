// The undriven degree of freedom of a mechanism that does not move, shown as a small motion to and fro.
import { place, type Poses } from "../shared/motion";
import type { Answer } from "./messages";
import type { Studio } from "./start";

const TURN = 0.12; // radians of the body that turns most
const SECONDS = 1.6; // to and fro
const [AFTER, TIMES] = [1200, 4]; // milliseconds before it begins, and how often it goes to and fro

export class Swing {
  private rates: Record<string, number[]> = {};
  private frame = 0;

  constructor(private studio: Studio) {}

  load({ moving, free }: Answer): void {
    cancelAnimationFrame(this.frame);
    this.rates = moving ? {} : free;
    document.body.dataset.swings = Object.keys(this.rates).join(" ");
    if (!Object.keys(this.rates).length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const begun = performance.now() + AFTER;
    const step = (now: number): void => {
      const turns = Math.min(Math.max((now - begun) / 1000 / SECONDS, 0), TIMES);
      if (turns > 0) this.show(TURN * Math.sin(2 * Math.PI * turns));
      if (turns < TIMES) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  // A hand comes to the drawing: it stands still.
  stop(): void {
    cancelAnimationFrame(this.frame);
    if (Object.keys(this.rates).length) this.show(0);
  }

  private show(by: number): void {
    const { plane, motion, hand, clock, store } = this.studio;
    if (!plane || !motion || hand.busy || store.state.selected) return;
    const poses: Poses = motion.at(clock.time);
    for (const [body, rate] of Object.entries(this.rates)) {
      const pose = poses[body];
      if (pose && place(poses, body, [0, 0])) poses[body] = pose.map((x, k) => x + by * rate[k]);
    }
    plane.show(poses, clock.time);
  }
}
