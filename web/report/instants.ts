// Everything on the page that names an instant or a part leads to it: data-t goes to a time, data-part selects a part.
import type { Clock } from "../shared/clock";
import { readPart, type Store } from "../shared/store";

export class Instants {
  constructor(root: HTMLElement, clock: Clock, store: Store) {
    const found = (event: Event): HTMLElement | null =>
      (event.target as HTMLElement).closest?.<HTMLElement>("[data-t], [data-part]") ?? null;
    root.addEventListener("click", (event) => {
      const link = found(event);
      if (!link) return;
      event.preventDefault();
      const time = Number.parseFloat(link.dataset.t ?? "");
      if (Number.isFinite(time)) {
        clock.pause();
        clock.set(time);
      }
      const part = readPart(link.dataset.part);
      if (part) store.change({ selected: part });
      if (link.closest("#sections")) document.getElementById("stage")!.scrollIntoView({ block: "start" });
    });
    root.addEventListener("pointerover", (event) => {
      const part = readPart(found(event)?.dataset.part);
      if (part) store.hover(part);
    });
    root.addEventListener("pointerout", (event) => {
      if (found(event)?.dataset.part) store.hover(null);
    });
    open(location.hash.slice(1));
    root.addEventListener("click", (event) => {
      const target = (event.target as HTMLElement).closest<HTMLAnchorElement>("a[href^='#']")?.getAttribute("href");
      if (target) open(target.slice(1));
    });
  }
}

// Opens the section that a link leads to.
function open(id: string): void {
  const section = id && !id.includes("=") ? document.getElementById(id)?.querySelector("details") : null;
  if (section) section.open = true;
}
