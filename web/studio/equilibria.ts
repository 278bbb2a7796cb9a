// The equilibria of the mechanism with its drivers left free: ghosts with their stability, and a click that goes there.
import type { Poses } from "../shared/motion";
import { button, paragraph } from "./design";
import type { Equilibria } from "./messages";
import type { Studio } from "./start";

const NEAR = 0.02; // of the mechanism's size: a position that the motion passes

export class EquilibriumList {
  private found: Equilibria | null = null;

  constructor(private studio: Studio) {}

  ask(): void {
    this.studio.send({ do: "equilibria" });
  }

  clear(): void {
    if (!this.found) return;
    this.found = null;
    this.studio.overlay.rests = [];
    this.studio.plane?.standBehind([]);
  }

  show(found: Equilibria): void {
    const { plane, overlay, motion, panel } = this.studio;
    if (!plane || !motion || this.studio.tab !== "statics") return;
    this.found = found;
    const base = motion.at(this.studio.clock.time);
    const positions = found.equilibria.map(({ bodies }): Poses => ({ ...base, ...bodies }));
    plane.standBehind(positions);
    overlay.rests = found.equilibria.map(({ number, stability, bodies }) => ({
      ...{ number, stability, choose: () => this.choose(number) },
      at: middle(Object.values(bodies)),
    }));
    const rows = found.equilibria.map(({ number, stability, at }) => {
      const row = button(`${number} · ${stability} · ${at}`, () => this.choose(number));
      row.dataset.equilibrium = String(number);
      row.dataset.stability = stability;
      return row;
    });
    const free = found.free.length ? `With ${found.free.join(", ")} left free: ` : "";
    const none = found.equilibria.length ? "" : "no equilibrium was found; ";
    const list = document.createElement("div");
    list.className = "rows";
    list.append(...rows);
    panel.show("Equilibria", paragraph(`${free}${none}${found.notes.join(" ")}.`), list);
    this.studio.redraw();
  }

  // Goes to an equilibrium: through time where the motion passes it, else by writing the positions.
  choose(number: number): void {
    const one = this.found?.equilibria.find((each) => each.number === number);
    const { motion, scene, player, words } = this.studio;
    if (!one || !motion || !scene) return;
    if (!this.found!.free.length) return this.studio.send({ do: "equilibrium", number });
    let [best, when] = [Infinity, 0];
    for (const t of motion.times) {
      const poses = motion.at(t, Object.keys(one.bodies));
      const apart = Object.entries(one.bodies).map(([name, [x, y]]) =>
        poses[name] ? Math.hypot(poses[name]![0] - x, poses[name]![1] - y) : Infinity,
      );
      const far = Math.max(...apart);
      if (far < best) [best, when] = [far, t];
    }
    const passes = best < NEAR * scene.size * 2;
    player.go(when);
    const word = passes ? "The motor passes it here." : "The motor does not pass it: the nearest position is shown.";
    words.say(`Equilibrium ${number}, ${one.stability}. ${word}`);
  }
}

function middle(poses: number[][]): [number, number] {
  const sum = poses.reduce((all, pose) => [all[0] + pose[0], all[1] + pose[1]], [0, 0]);
  return [sum[0] / poses.length, sum[1] / poses.length];
}
