// The drawing of the page, and what a hand on it needs: the scene that it changes, and how the change is shown.
import type { Run, Scene } from "../shared/data";
import type { Motion } from "../shared/motion";
import { PlaneViewer } from "../shared/plane/view";
import { SpaceViewer } from "../shared/space/view";
import type { Wishes } from "../shared/viewer";
import type { Stage } from "./hand";
import { part } from "./page";
import type { Studio } from "./start";

export function stageOf(studio: Studio): Stage {
  return {
    scene: () => studio.scene,
    run: () => studio.run,
    pins: () => studio.pins,
    time: () => studio.clock.time,
    pixels: () => {
      if (!studio.plane) return 1;
      return studio.plane.pixel([1, 0]).x - studio.plane.pixel([0, 0]).x;
    },
    show: (scene, motion) => {
      studio.plane!.reshape(scene, motion);
      studio.plane!.show(motion.at(studio.clock.time), studio.clock.time);
    },
    reset: () => studio.motion && studio.viewer?.load(studio.scene!, studio.motion, studio.run!),
    restore: () => studio.redraw(),
    say: (text, opens) => studio.words.say(text, Boolean(opens) || /stops here|cannot/.test(text)),
    tool: (name, given) => studio.tool(name, given),
  };
}

// The drawing in the plane or in space, which asks the page what a press on it does.
export function openViewer(studio: Studio, scene: Scene, motion: Motion, run: Run): void {
  const wishes: Wishes = {
    select: (chosen) => studio.selection.click(chosen),
    hover: (over) => studio.store.hover(over),
    go: (time) => studio.player.go(time),
    now: () => studio.clock.time,
    edit: (over, at) => studio.selection.press(over, at),
    drawn: (poses) => studio.drawn(poses),
  };
  const figure = part("figure");
  if (scene.dimension === 3) {
    document.body.classList.add("space");
    figure.querySelector("canvas")!.hidden = false;
    studio.viewer = new SpaceViewer(figure, scene, motion, run, wishes);
  } else {
    studio.plane = new PlaneViewer(figure.querySelector<SVGSVGElement>("#drawing")!, scene, motion, run, wishes);
    studio.viewer = studio.plane;
  }
  studio.edit(scene.dimension === 2 && studio.editing);
}
