// On paper every section is open, and the mechanism is shown at the instants that the headline names.
import type { Clock } from "../shared/clock";
import { layOut } from "../shared/figures/size";
import { digits } from "../shared/numbers";
import type { Viewer } from "../shared/viewer";

const MOST = 4; // pictures

export function keepPaper(figure: HTMLElement, clock: Clock, viewer: Viewer, unit: string): void {
  const paper = matchMedia("print");
  const stills = document.createElement("div");
  stills.id = "stills";
  figure.after(stills);
  let ready = false;
  const prepare = (): void => {
    if (ready) return;
    ready = true;
    clock.pause();
    for (const section of document.querySelectorAll<HTMLDetailsElement>("#sections details")) section.open = true;
    viewer.recolour();
    const before = clock.time;
    figure.classList.add("small"); // as large as on paper, so that names can be read there
    viewer.fit();
    stills.replaceChildren(...tellingInstants(clock).map(([time, words]) => still(viewer, clock, time, words, unit)));
    figure.classList.remove("small");
    viewer.fit();
    document.body.classList.add("printed"); // figures too
    layOut(document);
    clock.set(stills.childElementCount ? before : clock.start);
  };
  const end = (): void => {
    ready = false;
    stills.replaceChildren();
    viewer.recolour();
    document.body.classList.remove("printed");
    layOut(document);
  };
  window.addEventListener("beforeprint", prepare);
  window.addEventListener("afterprint", end);
  paper.addEventListener("change", () => (paper.matches ? prepare() : end()));
}

// The start, and the instants of the headline, each with its words.
function tellingInstants(clock: Clock): [number, string][] {
  const out: [number, string][] = [[clock.start, "at the start"]];
  for (const link of document.querySelectorAll<HTMLElement>(".headline [data-t]")) {
    const time = Number.parseFloat(link.dataset.t!);
    const known = out.some(([other]) => Math.abs(other - time) < 1e-3 * (clock.end - clock.start));
    if (Number.isFinite(time) && !known)
      out.push([
        time,
        `${link.querySelector("small")?.textContent ?? ""} ${link.querySelector("b")?.textContent ?? ""}`,
      ]);
  }
  return out.slice(0, MOST);
}

function still(viewer: Viewer, clock: Clock, time: number, words: string, unit: string): HTMLElement {
  clock.set(time);
  const made = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `t = ${digits(clock.time)}${unit ? ` ${unit}` : ""}: ${words}`;
  for (const picture of viewer.pictures()) {
    if (picture instanceof HTMLCanvasElement) made.append(Object.assign(new Image(), { src: picture.toDataURL() }));
    else {
      const copy = picture.cloneNode(true) as SVGSVGElement;
      copy.removeAttribute("id");
      made.append(copy);
    }
  }
  made.append(caption);
  return made;
}
