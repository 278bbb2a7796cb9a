// The studies of the middle pane: charts, free body, velocities. One is seen at a time.
import { type Store, STUDIES } from "../shared/store";

export function keepStudies(root: HTMLElement, store: Store): void {
  const tabs = STUDIES.map((study) => root.querySelector<HTMLButtonElement>(`[data-study="${study}"]`)!);
  const panels = tabs.map((tab) => document.getElementById(tab.getAttribute("aria-controls")!)!);
  const show = (): void =>
    STUDIES.forEach((study, k) => {
      const shown = store.state.study === study;
      tabs[k].setAttribute("aria-selected", String(shown));
      tabs[k].tabIndex = shown ? 0 : -1;
      panels[k].hidden = !shown;
    });
  tabs.forEach((tab, k) => {
    tab.addEventListener("click", () => store.change({ study: STUDIES[k] }));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (k + step + tabs.length) % tabs.length;
      store.change({ study: STUDIES[next] });
      tabs[next].focus();
    });
  });
  store.listen((state, before) => state.study !== before.study && show());
  show();
}
