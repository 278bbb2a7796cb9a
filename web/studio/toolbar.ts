// The tools: a rail at the left edge, and a bar that appears at what is selected.
import { GROUND, type Scene } from "../shared/data";
import type { Part } from "../shared/store";
import type { Pin } from "./messages";

export type Tool = "select" | "link" | "pin" | "trace" | "join" | "spring";
export interface Actions {
  tool(name: string, given: Record<string, unknown>): void;
  choose(tool: Tool, from?: string): void;
  rename(part: Part): void;
}

export class Rail {
  chosen: Tool = "select";

  constructor(
    private root: HTMLElement,
    private changed: (tool: Tool) => void,
  ) {
    root.addEventListener("click", (event) => {
      const tool = (event.target as HTMLElement).closest<HTMLElement>("[data-tool]")?.dataset.tool;
      if (tool) this.choose(tool as Tool);
    });
    this.choose("select");
  }

  choose(tool: Tool): void {
    this.chosen = tool;
    for (const button of this.root.querySelectorAll<HTMLElement>("[data-tool]"))
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    this.changed(tool);
  }
}

// What can be done with a part, as buttons.
export function actionsOf(part: Part, scene: Scene, pins: Pin[], actions: Actions): [string, string, () => void][] {
  const { tool, choose, rename } = actions;
  const name = part.name.split(".on_")[0];
  const common: [string, string, () => void][] = [
    ["rename", "rename; references follow", () => rename(part)],
    ["delete", "delete (Del)", () => tool("delete", { kind: part.kind, name })],
  ];
  if (part.kind === "body") {
    return [
      ["mass", "mass of a steel bar, and gravity", () => tool("masses", { bodies: [name] })],
      ["duplicate", "a copy beside it", () => tool("duplicate", { body: name })],
      ...common,
    ];
  }
  const joint = scene.joints.find((one) => one.name === name);
  const reference = part.kind === "point" && name.includes(".") ? name : pinOf(part, scene, pins);
  const at: [string, string, () => void][] = reference
    ? [
        ...(!joint?.between.includes(GROUND)
          ? ([
              ["ground", "fix this pin to the ground", () => tool("ground", { reference })],
              ["slider", "lead this pin along a straight slot", () => tool("slider", { reference })],
            ] as [string, string, () => void][])
          : []),
        ["join", "join it to another pin: click that one", () => choose("join", reference)],
        ["spring", "spring to another pin: click that one", () => choose("spring", reference)],
        ["force", "a force of 10 N downwards", () => tool("force", { reference })],
      ]
    : [];
  if (part.kind === "joint" && joint) {
    const drive: [string, string, () => void][] = joint.driven
      ? []
      : [["drive", "a motor of 60 rpm", () => tool("driver", { joint: name })]];
    return [...drive, ...at, ...common];
  }
  if (part.kind === "point" && name.includes("."))
    return [...at, ["delete", "delete (Del)", () => tool("delete", { kind: "point", name })]];
  return common;
}

// The body point of a joint, on its moving body.
function pinOf(part: Part, scene: Scene, pins: Pin[]): string | null {
  const joint = part.kind === "joint" ? scene.joints.find(({ name }) => name === part.name.split(".on_")[0]) : null;
  if (!joint) return null;
  const near = (at: number[]): number => Math.hypot(at[0] - joint.at[0], at[1] - joint.at[1]);
  const own = pins.filter(([, body, at]) => body === joint.body && near(at) < 1e-6 * (scene.size || 1));
  return own[0]?.[0] ?? null;
}

// The bar at the selection.
export function showBar(
  root: HTMLElement,
  entries: [string, string, () => void][],
  at: { x: number; y: number } | null,
): void {
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
        button.dataset.action = word;
        return button;
      }),
    );
  }
  [...root.children].forEach((button, k) => ((button as HTMLButtonElement).onclick = entries[k][2]));
  if (!at || root.hidden) return;
  const { clientWidth: wide, clientHeight: high } = root.parentElement!;
  const y = at.y + document.getElementById("figure")!.offsetTop;
  const left = Math.min(Math.max(at.x - root.offsetWidth / 2, 56), Math.max(wide - root.offsetWidth - 52, 56));
  const top = y + 24 + root.offsetHeight > high ? y - 24 - root.offsetHeight : y + 24;
  [root.style.left, root.style.top] = [`${left}px`, `${Math.max(top, 44)}px`];
}
