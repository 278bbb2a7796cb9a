// Where the browser cannot draw in space: the first position stays, as it was drawn; charts and tables are at work.
import type { Viewer } from "../viewer";

export class StillViewer implements Viewer {
  readonly layers = [];
  readonly scale = 1;

  constructor(
    private figure: HTMLElement,
    reason: unknown,
  ) {
    figure.querySelector("canvas")?.remove();
    const message = document.createElement("p");
    message.className = "missing";
    message.textContent =
      "This browser cannot draw in 3D: WebGL is not available. The first position stands; charts and tables are complete.";
    message.title = String(reason);
    figure.append(message);
    figure.dataset.drawn = "no";
  }

  load(): void {}
  show(): void {}
  zoom(): void {}
  pan(): void {}
  light(): void {}
  fit(): void {}
  turn(): void {}
  grow(): void {}
  recolour(): void {}
  pictures(): [SVGSVGElement] {
    return [this.figure.querySelector<SVGSVGElement>(".still")!];
  }
}
