// A panel beside the stage: help with a guided first build, and the assembly modes side by side. Never a modal dialog.
import type { Scene } from "../shared/data";
import type { Modes } from "./messages";
import { card, still } from "./thumbnails";

const KEYS: [string, string][] = [
  ["e, space", "edit; play or pause"],
  ["s l i t", "tools: select, link, pin, trace"],
  ["← →, Home End", "one row back or on; first and last"],
  ["1 … 6", "motion, forces, statics, dynamics, strength, design"],
  ["f n p v a c F", "fit; names, paths, velocities, accelerations, instant centres, forces"],
  ["Ctrl-Z, Ctrl-Y", "undo, redo"],
  ["[ ], Enter", "select the part before, the next; go to its bar, or take it as the second part of a tool"],
  ["Del", "delete what is selected"],
  ["arrows with Alt", "move the selected pin, or the cross of the tool link, by one line of the grid"],
  ["Enter with link", "set an end of a link at the cross; ] takes the cross to the next pin"],
  ["Esc", "take the drag back, leave a tool, clear the selection"],
];
const BUILD = [
  "Choose link and drag three links, each from the end of the last: crank, coupler, rocker.",
  "Choose select, click the first pin and press ground; likewise the last one.",
  "Click the first pin again and press driver: it turns once a second. Space plays.",
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

  show(title: string, ...content: Node[]): void {
    this.root.querySelector("h3")!.textContent = title;
    this.root.querySelector(":scope > div")!.replaceChildren(...content);
    this.root.hidden = false;
  }

  help(begin: () => void): void {
    const guided = Object.assign(document.createElement("button"), { type: "button", id: "begin-guide" });
    guided.textContent = "Guide me through a first four-bar";
    guided.addEventListener("click", () => {
      this.hide();
      begin();
    });
    const list = document.createElement("ol");
    for (const text of BUILD) list.append(Object.assign(document.createElement("li"), { textContent: text }));
    const keys = document.createElement("dl");
    for (const [key, text] of KEYS) {
      keys.append(Object.assign(document.createElement("dt"), { textContent: key }));
      keys.append(Object.assign(document.createElement("dd"), { textContent: text }));
    }
    this.show("A first mechanism, and the keys", guided, list, keys);
  }

  // The ways in which the same links can be assembled; a click goes there.
  modes({ modes }: Modes, scene: Scene, choose: (number: number) => void): void {
    const holder = document.createElement("div");
    holder.className = "modes";
    for (const { number, range, circuit, bodies } of modes) {
      const { button, picture } = card("", `mode ${number} · circuit ${circuit} · ${range}`);
      button.dataset.mode = String(number);
      button.addEventListener("click", () => choose(number));
      still(picture, scene, bodies);
      holder.append(button);
    }
    const note = document.createElement("p");
    note.textContent = "The same links, assembled differently. A click writes that position into the file.";
    this.show(`${modes.length} assembly modes`, note, holder);
  }
}
