// Panes of the stage: bars between them are dragged, by pointer or arrow keys; each pane can be put away.
import { keepSwitch, type Store } from "../shared/store";

const STEP = 24; // pixels of an arrow key
const LEAST = 220; // pixels of a pane
const DRAWER = "(min-width: 701px) and (max-width: 1100px)"; // where the facts would cover the drawing

// With a store it holds what was put away.
export function keepPanes(stage: HTMLElement, store?: Store): void {
  for (const bar of stage.querySelectorAll<HTMLElement>("[role=separator]")) {
    const pane = document.getElementById(bar.getAttribute("aria-controls")!)!;
    const set = (wide: number): void => {
      const most = 0.7 * stage.clientWidth;
      const kept = Math.min(Math.max(wide, LEAST), most);
      stage.style.setProperty(`--${pane.id}`, `${kept}px`);
      bar.setAttribute("aria-valuenow", String(Math.round((100 * kept) / stage.clientWidth)));
    };
    bar.setAttribute("aria-valuenow", String(Math.round((100 * pane.clientWidth) / (stage.clientWidth || 1))));
    bar.addEventListener("pointerdown", (down) => {
      const before = pane.getBoundingClientRect().width;
      const move = (event: PointerEvent): void => set(before - (event.clientX - down.clientX));
      bar.setPointerCapture(down.pointerId);
      bar.addEventListener("pointermove", move);
      bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), { once: true });
    });
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      set(pane.getBoundingClientRect().width + step);
    });
    bar.addEventListener("dblclick", () => stage.style.removeProperty(`--${pane.id}`));
  }
  for (const button of stage.querySelectorAll<HTMLElement>("[data-pane]")) {
    const pane = button.dataset.pane!;
    const show = (on: boolean): void => {
      stage.classList.toggle(`no-${pane}`, !on);
      button.setAttribute("aria-expanded", String(on));
    };
    const first = pane !== "facts" || !matchMedia(DRAWER).matches;
    if (!first) show(false);
    const turn = store ? keepSwitch(store, pane, first, show) : () => show(stage.classList.contains(`no-${pane}`));
    button.addEventListener("click", turn);
  }
}
