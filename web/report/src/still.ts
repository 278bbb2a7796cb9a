// Where the browser cannot draw in space: says so, and leaves charts and tables at work.
import type { Viewer } from "./viewer";

export class StillViewer implements Viewer {
  constructor(figure: HTMLElement, reason: unknown) {
    figure.querySelector("canvas")?.remove();
    const message = document.createElement("p");
    message.className = "missing";
    message.textContent =
      "This browser cannot draw in 3D: WebGL is not available. Charts and tables below are complete.";
    message.title = String(reason);
    figure.append(message);
    figure.dataset.drawn = "no";
  }

  show(): void {}
  zoom(): void {}
  fit(): void {}
  labels(): void {}
  paths(): void {}
  recolour(): void {}
}
