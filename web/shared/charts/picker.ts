// All columns, one line per body, point or joint, to switch charts on and off.
import type { Run } from "../data";
import type { Stack } from "./stack";

export class Picker {
  private buttons: HTMLButtonElement[] = [];

  constructor(
    holder: HTMLElement,
    search: HTMLInputElement,
    run: Run,
    private stack: () => Stack,
  ) {
    const lines = new Map<string, HTMLElement>();
    for (const { name, owner, word, unit } of run.columns) {
      if (!lines.has(owner)) {
        const line = document.createElement("div");
        line.className = "owner";
        const label = document.createElement("span");
        label.textContent = owner;
        line.append(label);
        lines.set(owner, line);
        holder.append(line);
      }
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.title = unit ? `${name} [${unit}]` : name;
      button.dataset.column = name;
      button.addEventListener("click", () => this.stack().toggle(name));
      lines.get(owner)!.append(button);
      this.buttons.push(button);
    }
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const fits = (button: HTMLButtonElement): boolean =>
        words.every((word) => button.dataset.column!.toLowerCase().includes(word));
      for (const button of this.buttons) button.hidden = !fits(button);
      for (const line of lines.values())
        line.hidden = ![...line.querySelectorAll("button")].some((button) => !button.hidden);
    });
  }

  update(): void {
    for (const button of this.buttons)
      button.setAttribute("aria-pressed", String(this.stack().has(button.dataset.column!)));
  }
}
