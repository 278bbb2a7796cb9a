// Lengths, angles and pins that stay while something else is dragged. They belong to the page, not to the file.
import { make } from "../shared/svg";

export type Lock = [kind: "length" | "angle" | "pin", body: string, first: string, second: string];

export class Locks {
  all: Lock[] = [];

  has(lock: Lock): boolean {
    return this.all.some((one) => one.join() === lock.join());
  }

  toggle(lock: Lock): void {
    this.all = this.has(lock) ? this.all.filter((one) => one.join() !== lock.join()) : [...this.all, lock];
  }
}

// A small padlock, closed or open.
export function lockButton(on: boolean, title: string, toggle: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "lock";
  const icon = make("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button);
  make(
    "path",
    { d: `M4 7.5h8v6H4z${on ? "M5.5 7.5V5a2.500 2.500 0 0 1 5 0v2.500" : "M5.500 7.500V4a2.500 2.500 0 0 1 5 0"}` },
    icon,
  );
  button.title = `${on ? "unlock" : "lock"} ${title} while dragging`;
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", String(on));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    toggle();
  });
  return button;
}
