// What follows the clock, the selection and the buttons of the page.
import type { Part } from "../shared/store";
import { connectButtons } from "./buttons";
import { part } from "./page";
import type { Studio } from "./start";

export function listen(studio: Studio): void {
  studio.clock.listen(() => {
    if (!studio.motion || !studio.viewer || studio.hand.busy || studio.release.on) return;
    studio.viewer.show(studio.motion.at(studio.clock.time), studio.clock.time);
    part("figure").dataset.time = String(studio.clock.time);
  });
  studio.store.listen(({ selected, hovered }, before) => {
    if (selected === before.selected && hovered === before.hovered) return;
    if (hovered !== before.hovered) studio.design.hover(hovered);
    const seen = (one: Part | null): Part | null => (one?.kind === "point" && one.name.includes(".") ? null : one);
    studio.viewer?.light(seen(selected), seen(hovered));
    if (selected !== before.selected) {
      const line = selected && studio.inspector.lineOf(selected);
      if (line) studio.editor.reveal(line);
      studio.redraw();
    }
  });
  connectButtons(studio);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => studio.viewer?.recolour());
}
