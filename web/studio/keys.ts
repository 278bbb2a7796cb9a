// Keys of the studio, where no field has the focus.
import { Pen } from "./pen";
import type { Studio } from "./start";
import type { Mode } from "./toolbar";

const TABS = ["motion", "forces", "statics", "dynamics", "strength", "design"];
const TOOLS: Record<string, Mode> = { s: "select", l: "link", i: "pin", t: "trace" };
const LAYERS: Record<string, string> = {
  n: "names",
  p: "paths",
  v: "velocity",
  a: "acceleration",
  c: "centres",
  F: "forces",
};
const MOVES: Record<string, [number, number]> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] },
};

export function keys(studio: Studio): void {
  const pen = new Pen(studio);
  document.addEventListener("keydown", (event) => {
    const on = event.target as HTMLElement;
    if (on.matches("input:not([type=range]), select, textarea, summary, [role=separator]") || on.closest(".cm-editor"))
      return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) studio.undo();
      else if (key === "y" || key === "z") studio.redo();
      else return;
      event.preventDefault();
      return;
    }
    if (press(studio, pen, event)) event.preventDefault();
  });
}

function press(studio: Studio, pen: Pen, event: KeyboardEvent): boolean {
  const { key } = event;
  if (event.altKey && MOVES[key]) (pen.on ? pen : studio.selection).move(...MOVES[key]);
  else if (key === " " && !(event.target as HTMLElement).matches("button")) studio.player.toggle();
  else if (key === "]" || key === "[") studio.selection.step(key === "]" ? 1 : -1);
  else if (key === "Enter" && !(event.target as HTMLElement).matches("button, a, summary"))
    (pen.on ? pen : studio.selection).enter();
  else if (key === "ArrowRight") studio.player.step(event.shiftKey ? 10 : 1);
  else if (key === "ArrowLeft") studio.player.step(event.shiftKey ? -10 : -1);
  else if (key === "Home") studio.player.step(-1e9);
  else if (key === "End") studio.player.step(1e9);
  else if (key === "e") studio.edit(true);
  else if (key === "f") studio.viewer?.fit();
  else if (key === "?") studio.panel.help(() => studio.guide.begin());
  else if (key === "Delete" || key === "Backspace") studio.selection.remove();
  else if (key === "Escape") escape(studio, pen);
  else if (TOOLS[key]) choose(studio, pen, TOOLS[key]);
  else if (LAYERS[key]) document.querySelector<HTMLElement>(`[data-layer=${LAYERS[key]}]`)?.click();
  else if (TABS[Number(key) - 1]) studio.choose(TABS[Number(key) - 1]);
  else if (key === "+" || key === "-") studio.viewer?.zoom(key === "+" ? 1.2 : 1 / 1.2);
  else return false;
  return true;
}

function choose(studio: Studio, pen: Pen, tool: Mode): void {
  pen.clear();
  studio.rail.choose(tool);
  pen.begin();
}

// Up one level: the drag, the panel, the tool, the selection.
function escape(studio: Studio, pen: Pen): void {
  if (studio.hand.busy) studio.hand.cancel();
  else if (studio.release.on) studio.release.end();
  else if (studio.panel.open) studio.panel.hide();
  else if (pen.clear()) studio.rail.choose("select");
  else if (studio.guide.open) studio.guide.end();
  else if (studio.rail.chosen !== "select") studio.rail.choose("select");
  else if (studio.store.state.selected) studio.store.change({ selected: null });
  else studio.targets.clear();
}
