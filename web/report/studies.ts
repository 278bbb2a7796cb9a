// The studies of the middle pane: the page's own figures where it has some, charts, free body, velocities. One is seen at
// a time.
import { type Store, STUDIES } from "../shared/store";

export function keepStudies(root: HTMLElement, store: Store, figures: string | null): void {
  const offered = STUDIES.filter((study) => study !== "figures" || figures !== null);
  const tabs = offered.map((study) => root.querySelector<HTMLButtonElement>(`[data-study="${study}"]`)!);
  const panels = tabs.map((tab) => document.getElementById(tab.getAttribute("aria-controls")!)!);
  if (figures !== null) {
    tabs[0].hidden = false;
    tabs[0].textContent = figures;
    panels[0].setAttribute("aria-label", figures);
  }
  const show = (): void =>
    offered.forEach((study, k) => {
      const shown = store.state.study === study;
      tabs[k].setAttribute("aria-selected", String(shown));
      tabs[k].tabIndex = shown ? 0 : -1;
      panels[k].hidden = !shown;
    });
  tabs.forEach((tab, k) => {
    tab.addEventListener("click", () => store.change({ study: offered[k] }));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (k + step + tabs.length) % tabs.length;
      store.change({ study: offered[next] });
      tabs[next].focus();
    });
  });
  store.listen((state, before) => state.study !== before.study && show());
  show();
}
