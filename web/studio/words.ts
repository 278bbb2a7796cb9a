// Sentences over the drawing: why it does not move, with the fix as a button; what a tab lacks; what a drag would open.
import { rounded } from "../shared/numbers";
import type { Answer, Need } from "./messages";

const LONG = 170; // letters of a sentence that are shown at once

export class Words {
  private sentence = "";
  private last: [Answer, boolean] | null = null;

  constructor(
    private root: HTMLElement,
    private act: { fix(): void; mend(need: Need): void; release(): void; reveal(line: number): void },
  ) {}

  // A sentence about the gesture under way; empty: none.
  say(text: string, error = false): void {
    if (text === this.sentence) return;
    this.sentence = text;
    this.root.replaceChildren(...(text ? [line(text, error ? "error" : "")] : []));
  }

  // What was said about the last answer.
  again(): void {
    if (this.last) this.show(...this.last);
  }

  // The verdict of an answer.
  show(answer: Answer, empty: boolean): void {
    this.sentence = "";
    this.last = [answer, empty];
    const out: HTMLElement[] = [];
    const errors = answer.problems.filter(({ severity }) => severity === "error");
    const building = answer.tab === "motion" && answer.needs.length > 0; // the next step says more than what is missing
    if (empty) out.push(line("Drag over the grid: the first link.", ""));
    else if (errors.length && !building) {
      const [first] = errors;
      const text = line(errors.length > 1 ? `(1 of ${errors.length}) ${first.text}` : first.text, "error");
      text.addEventListener("click", () => this.act.reveal(first.line));
      out.push(text);
    } else if (answer.verdict && !building) out.push(line(answer.verdict, ""));
    if (answer.fix && !building)
      out.push(
        button("fix", answer.fix.replace(/^Suggested fix \(tested\): /, "Fix: ").replace(/;.*$/, ""), () =>
          this.act.fix(),
        ),
      );
    for (const need of answer.needs) {
      out.push(line(need.text, ""));
      if (need.mend) out.push(button(need.tool, need.mend, () => this.act.mend(need)));
    }
    const whole = !answer.brief && !empty; // the whole answer would end what is let loose before it
    if (answer.tab === "dynamics" && !answer.needs.length && answer.pins.length && whole)
      out.push(button("release", "Release it, and push it with the pointer", () => this.act.release()));
    this.root.replaceChildren(...out);
  }

  // The mechanism was let loose.
  released(stop: () => void): void {
    this.sentence = "released";
    const words = line("Released under its loads, drivers off: pull a link with the pointer.", "");
    this.root.replaceChildren(words, button("leave", "stop (Esc)", stop));
  }
}

// The first line of a sentence; where it is long, its beginning with a button that shows all of it.
function line(text: string, look: string): HTMLElement {
  const [out, whole] = [document.createElement("p"), rounded(text)];
  const first = whole.split("\n")[0];
  if (look) out.className = look;
  const words = first.length > LONG ? first.slice(0, LONG).replace(/\s+\S*$/, "") : first;
  out.textContent = words;
  out.title = text;
  if (words === whole) return out;
  const more = button("more", "… more", () => (out.textContent = whole));
  more.addEventListener("click", (event) => event.stopPropagation());
  out.append(" ", more);
  return out;
}

function button(name: string, text: string, act: () => void): HTMLElement {
  const out = document.createElement("button");
  out.type = "button";
  out.textContent = text;
  out.dataset.cure = name;
  out.addEventListener("click", act);
  return out;
}
