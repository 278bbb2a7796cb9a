// Brings the page to life: one clock, the mechanism, the charts, the controls.
import { Picker } from "../shared/charts/picker";
import { Stack } from "../shared/charts/stack";
import { Clock } from "../shared/clock";
import { controlTime, controlView } from "./controls";
import { readRun, readScene, type Run, type Scene } from "../shared/data";
import { Motion } from "../shared/motion";
import { drawing } from "../shared/svg";
import type { Viewer } from "../shared/viewer";

type Open = (figure: HTMLElement, scene: Scene, motion: Motion, run: Run) => Viewer;

export function start(open: Open): void {
  const run = readRun();
  const scene = readScene(run);
  const motion = new Motion(scene);
  const clock = new Clock(motion.start, motion.end);
  const figure = document.getElementById("figure")!;
  drawing(figure.querySelector<SVGSVGElement>("#drawing")!);
  document.documentElement.classList.add("live");
  const viewer = open(figure, scene, motion, run);
  controlView(viewer);
  controlTime(clock, run.rows, scene.events, scene.units.time);
  let stack: Stack | null = null;
  const holder = document.getElementById("columns")!;
  const picker = new Picker(holder, document.getElementById("search") as HTMLInputElement, run, () => stack!);
  const charts = document.getElementById("plots")!;
  stack = new Stack(charts, document.getElementById("whole")!, run, scene, clock, () => stack && picker.update());
  picker.update();
  clock.listen(() => {
    viewer.show(motion.at(clock.time), clock.time);
    figure.dataset.time = String(clock.time);
  });
  clock.set(clock.start);
  // On paper the mechanism stands at its start.
  const paper = matchMedia("print");
  const onPaper = (): void => {
    clock.pause();
    clock.set(clock.start);
    viewer.fit();
    viewer.recolour();
  };
  window.addEventListener("beforeprint", onPaper);
  paper.addEventListener("change", () => (paper.matches ? onPaper() : viewer.recolour()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => viewer.recolour());
}
