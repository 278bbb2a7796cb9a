// The tools: a rail at the left edge, and a bar at what is selected, built from the table that the server declares.
import { GROUND, type Scene } from "../shared/data";
import type { Part } from "../shared/store";
import type { Pin, Tool } from "./messages";

export type Mode = "select" | "link" | "pin" | "trace" | "pose" | "path" | "scale" | "choose";
// A button of the bar: its word, what it does in a sentence, and the act.
export type Action = [word: string, title: string, act: () => void];

export class Rail {
  chosen: Mode = "select";

  constructor(
    private root: HTMLElement,
    private changed: (mode: Mode) => void,
  ) {
    root.addEventListener("click", (event) => {
      const mode = (event.target as HTMLElement).closest<HTMLElement>("[data-tool]")?.dataset.tool;
      if (mode) this.choose(mode as Mode);
    });
    this.choose("select");
  }

  choose(mode: Mode): void {
    this.chosen = mode;
    for (const button of this.root.querySelectorAll<HTMLElement>("[data-tool]"))
      button.setAttribute("aria-pressed", String(button.dataset.tool === mode));
    this.changed(mode);
  }
}

// The tools of the table that fit what is selected, with the arguments that come from it.
export function toolsFor(
  part: Part,
  scene: Scene,
  pins: Pin[],
  table: Tool[],
): { tool: Tool; given: Record<string, unknown> }[] {
  const name = part.name.split(".on_")[0];
  const joint = scene.joints.find((one) => one.name === name && part.kind === "joint");
  const isPin = part.kind === "point" && name.includes(".");
  const kind = isPin ? "pin" : part.kind;
  const pin = isPin ? name : pinOf(part, scene, pins);
  const states = { driven: Boolean(joint?.driven), grounded: Boolean(joint?.between.includes(GROUND)) };
  const values: Record<string, string | null> = { name, kind: part.kind, pin };
  return table
    .filter((tool) => tool.on.includes(kind) && !(tool.unless && states[tool.unless as keyof typeof states]))
    .filter((tool) => Object.values(tool.fill).every((source) => values[source] !== null))
    .map((tool) => ({
      tool,
      given: Object.fromEntries(Object.entries(tool.fill).map(([key, source]) => [key, values[source]])),
    }));
}

// The body point of a joint, on its moving body.
export function pinOf(part: Part, scene: Scene, pins: Pin[]): string | null {
  const joint = part.kind === "joint" ? scene.joints.find(({ name }) => name === part.name.split(".on_")[0]) : null;
  if (!joint) return null;
  const near = (at: number[]): number => Math.hypot(at[0] - joint.at[0], at[1] - joint.at[1]);
  const own = pins.filter(([, body, at]) => body === joint.body && near(at) < 1e-6 * (scene.size || 1));
  return own[0]?.[0] ?? null;
}

const ABOVE = 56; // pixels from a pin to a bar above it: its coordinates stand between them

// The bar at the selection.
export function showBar(root: HTMLElement, entries: Action[], at: { x: number; y: number } | null): void {
  root.hidden = !entries.length || !at;
  const words = entries.map(([word]) => word).join(" ");
  if (root.dataset.words !== words) {
    root.dataset.words = words;
    root.replaceChildren(
      ...entries.map(([word, title]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = word;
        button.title = title;
        button.dataset.action = word.replace("driver", "drive");
        return button;
      }),
    );
  }
  [...root.children].forEach((button, k) => ((button as HTMLButtonElement).onclick = entries[k][2]));
  if (!at || root.hidden) return;
  const { clientWidth: wide, clientHeight: high } = root.parentElement!;
  const y = at.y + document.getElementById("figure")!.offsetTop;
  const sentences = document.getElementById("words")!; // sentences at the foot of the drawing stay readable
  const foot = sentences.childElementCount ? sentences.offsetTop : high;
  const left = Math.min(Math.max(at.x - root.offsetWidth / 2, 56), Math.max(wide - root.offsetWidth - 52, 56));
  const top = y + 24 + root.offsetHeight > foot ? y - ABOVE - root.offsetHeight : y + 24;
  [root.style.left, root.style.top] = [`${left}px`, `${Math.max(top, 44)}px`];
}
