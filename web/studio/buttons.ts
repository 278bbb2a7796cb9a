// The buttons of the page and what they do.
import { savePng, saveSvg } from "../shared/charts/save";
import type { Layer } from "../shared/viewer";
import type { State } from "./messages";
import { part } from "./page";
import type { Studio } from "./start";

export function connectButtons(studio: Studio): void {
  const click = (id: string, act: () => void): void => part(id).addEventListener("click", act);
  click("edit", () => studio.edit(true));
  click("watch", () => studio.edit(false));
  click("undo", () => studio.undo());
  click("redo", () => studio.redo());
  click("models", () => studio.gallery.show(true));
  click("help", () => (studio.panel.open ? studio.panel.hide() : studio.panel.help()));
  click("modes", () => studio.send({ do: "modes" }));
  click("nearer", () => studio.viewer?.zoom(1.4));
  click("farther", () => studio.viewer?.zoom(1 / 1.4));
  click("fit", () => studio.viewer?.fit());
  click("save-svg", () => studio.plane && saveSvg(studio.plane.picture(), studio.file.replace(/\W+/g, "_")));
  click("save-png", () => studio.plane && savePng(studio.plane.picture(), studio.file.replace(/\W+/g, "_")));
  click("snap", () => {
    studio.hand.snapping = !studio.hand.snapping;
    part("snap").setAttribute("aria-pressed", String(studio.hand.snapping));
  });
  part("axis").addEventListener("change", (event) =>
    studio.store.change({ axis: (event.target as HTMLSelectElement).value || null }),
  );
  for (const button of document.querySelectorAll<HTMLElement>("[data-tab]"))
    button.addEventListener("click", () => studio.choose(button.dataset.tab!));
  for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      studio.viewer?.turn(button.dataset.layer as Layer, on);
    });
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-export]"))
    link.href = `export/${encodeURIComponent(studio.file)}?kind=${link.dataset.export}`;
}

// What undo and redo would take back or bring back.
export function showHistory(state: State): void {
  const [undo, redo] = [part<HTMLButtonElement>("undo"), part<HTMLButtonElement>("redo")];
  [undo.disabled, redo.disabled] = [!state.undo, !state.redo];
  undo.title = state.undo ? `undo ${state.undo} (Ctrl-Z)` : "nothing to undo";
  redo.title = state.redo ? `redo ${state.redo} (Ctrl-Y)` : "nothing to redo";
}
