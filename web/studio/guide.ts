// A first build, step by step on the drawing: each step is a sentence that goes away when it is done.
import { part } from "./page";
import type { Studio } from "./start";

interface Step {
  text: string;
  done(studio: Studio): boolean;
  target: string; // of the page: what is to be pressed next
}

const bodies = (studio: Studio): number => tables(studio, "body").filter((name) => name !== "ground").length;
const STEPS: Step[] = [
  {
    text: "Drag a first link over the grid: the crank.",
    done: (s) => bodies(s) > 0,
    target: "[data-tool=link]",
  },
  { text: "Drag the coupler from the end of the crank.", done: (s) => bodies(s) > 1, target: "[data-tool=link]" },
  { text: "Drag the rocker from the end of the coupler.", done: (s) => bodies(s) > 2, target: "[data-tool=link]" },
  {
    text: "Click the last pin of the rocker and press ground; then the first pin of the crank.",
    done: (s) => grounded(s) > 1,
    target: "[data-action=ground]",
  },
  {
    text: "Press driver at that pin: it turns once a second.",
    done: (s) => tables(s, "driver").length > 0,
    target: "[data-action=drive]",
  },
  { text: "Press the space bar, or play: it moves.", done: (s) => !s.editing, target: "#play" },
  {
    text: "Open the tab Forces, and add masses: pin forces and motor torque appear.",
    done: (s) => s.scene?.forces != null,
    target: "[data-tab=forces]",
  },
];

export class Guide {
  private step = -1;

  constructor(
    private studio: Studio,
    private root: HTMLElement,
  ) {
    root.querySelector("button")!.addEventListener("click", () => this.end());
  }

  begin(): void {
    this.step = 0;
    this.studio.edit(true);
    this.look();
  }

  get open(): boolean {
    return this.step >= 0;
  }

  end(): void {
    this.step = -1;
    this.root.hidden = true;
    for (const one of document.querySelectorAll(".next-step")) one.classList.remove("next-step");
  }

  // Goes on to the first step that is not done.
  look(): void {
    if (this.step < 0) return;
    while (this.step < STEPS.length && STEPS[this.step].done(this.studio)) this.step++;
    for (const one of document.querySelectorAll(".next-step")) one.classList.remove("next-step");
    this.root.hidden = false;
    const last = this.step >= STEPS.length;
    const words = last ? "Done: drag any pin in Edit, and everything follows." : STEPS[this.step].text;
    part("guide-words").textContent = last ? words : `${this.step + 1} of ${STEPS.length}: ${words}`;
    this.root.dataset.step = String(this.step);
    if (!last) document.querySelector(STEPS[this.step].target)?.classList.add("next-step");
  }
}

function tables(studio: Studio, kind: string): string[] {
  return [...new Set((studio.state?.entries ?? []).flatMap(([path]) => (path[0] === kind ? [String(path[1])] : [])))];
}

function grounded(studio: Studio): number {
  return (studio.state?.entries ?? []).filter(([path, literal]) => path[0] === "joint" && /^["']ground\./.test(literal))
    .length;
}
