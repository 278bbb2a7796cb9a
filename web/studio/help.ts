// A panel beside the stage: help with a guided first build, and the assembly modes side by side. Never a modal dialog.
import type { Scene } from "../shared/data";
import { Motion } from "../shared/motion";
import { Strokes } from "../shared/plane/strokes";
import { change, make } from "../shared/svg";
import type { Modes } from "./messages";

const KEYS: [string, string][] = [
  ["e, space", "edit; play or pause"],
  ["s l i t", "tools: select, link, pin, trace"],
  ["← →, Home End", "one row back or on; first and last"],
  ["1 … 5", "motion, forces, statics, dynamics, strength"],
  ["f n p v a F", "fit; names, paths, velocities, accelerations, forces"],
  ["Ctrl-Z, Ctrl-Y", "undo, redo"],
  ["Del", "delete what is selected"],
  ["arrows with Alt", "move the selected pin by one line of the grid"],
  ["Esc", "clear the selection, leave a tool"],
];
const BUILD = [
  "Choose link and drag three links, each from the end of the last: crank, coupler, rocker.",
  "Choose select, click the first pin and press ground; likewise the last one.",
  "Click the first pin again and press drive: it turns once a second. Space plays.",
  "Open the tab Forces and press add masses: pin forces and motor torque appear.",
  "Back in Edit, drag any pin: everything follows. Undo takes each gesture back.",
];

export class Panel {
  constructor(private root: HTMLElement) {
    root.querySelector("#close-panel")!.addEventListener("click", () => this.hide());
  }

  hide(): void {
    this.root.hidden = true;
  }

  get open(): boolean {
    return !this.root.hidden;
  }

  private show(title: string, ...content: Node[]): void {
    this.root.querySelector("h3")!.textContent = title;
    this.root.querySelector(":scope > div")!.replaceChildren(...content);
    this.root.hidden = false;
  }

  help(): void {
    const list = document.createElement("ol");
    for (const text of BUILD) list.append(Object.assign(document.createElement("li"), { textContent: text }));
    const keys = document.createElement("dl");
    for (const [key, text] of KEYS) {
      keys.append(Object.assign(document.createElement("dt"), { textContent: key }));
      keys.append(Object.assign(document.createElement("dd"), { textContent: text }));
    }
    this.show("A first mechanism, and the keys", list, keys);
  }

  // The ways in which the same links can be assembled; a click goes there.
  modes({ modes }: Modes, scene: Scene, choose: (number: number) => void): void {
    const holder = document.createElement("div");
    holder.className = "modes";
    for (const { number, range, circuit, bodies } of modes) {
      const card = document.createElement("button");
      card.type = "button";
      card.className = "card";
      card.dataset.mode = String(number);
      const svg = make("svg", {});
      const text = document.createElement("span");
      text.textContent = `mode ${number} · circuit ${circuit} · ${range}`;
      card.append(svg, text);
      card.addEventListener("click", () => choose(number));
      draw(svg, scene, bodies);
      holder.append(card);
    }
    const note = document.createElement("p");
    note.textContent = "The same links, assembled differently. A click writes that position into the file.";
    this.show(`${modes.length} assembly modes`, note, holder);
  }
}

function draw(svg: SVGSVGElement, scene: Scene, bodies: Record<string, number[]>): void {
  const poses = Object.fromEntries(
    Object.keys(scene.poses).map((name): [string, Float64Array[]] => {
      const pose = bodies[name] ?? scene.poses[name].map((numbers) => numbers[0]);
      return [name, pose.map((x) => new Float64Array([x]))];
    }),
  );
  const reaches = scene.reaches.filter((reach) => reach.second);
  const still: Scene = { ...scene, times: new Float64Array([0]), poses, rates: {}, reaches, forces: null };
  const motion = new Motion(still);
  const [low, high] = scene.box;
  const room = 0.25 * Math.max(high[0] - low[0], high[1] - low[1]);
  const [wide, tall] = [high[0] - low[0] + 2 * room, high[1] - low[1] + 2 * room];
  change(svg, { viewBox: `${low[0] - room} ${-high[1] - room} ${wide} ${tall}` });
  new Strokes(make("g", { transform: "scale(1 -1)" }, svg), still, motion).move(motion.at(0), 0);
}
