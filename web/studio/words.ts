// Sentences over the drawing: why it does not move, with the fix as a button; what a tab lacks; what a drag would open.
import type { Answer } from "./messages";

export class Words {
  private sentence = "";

  constructor(
    private root: HTMLElement,
    private act: { fix(): void; masses(): void; reveal(line: number): void },
  ) {}

  // A sentence about the gesture under way; empty: none.
  say(text: string, error = false): void {
    if (text === this.sentence) return;
    this.sentence = text;
    this.root.replaceChildren(...(text ? [line(text, error ? "error" : "")] : []));
  }

  // The verdict of an answer.
  show(answer: Answer, empty: boolean): void {
    this.sentence = "";
    const out: HTMLElement[] = [];
    const errors = answer.problems.filter(({ severity }) => severity === "error");
    if (empty) out.push(line("Draw the first link: choose link at the left and drag.", ""));
    else if (errors.length) {
      const [first] = errors;
      const text = line(
        errors.length > 1 ? `${short(first.text)} (and ${errors.length - 1} more)` : short(first.text),
        "error",
      );
      text.title = first.text;
      text.addEventListener("click", () => this.act.reveal(first.line));
      out.push(text);
    } else if (answer.verdict) out.push(line(short(answer.verdict), ""));
    if (answer.fix)
      out.push(
        button("fix", answer.fix.replace(/^Suggested fix \(tested\): /, "Fix: ").replace(/;.*$/, ""), () =>
          this.act.fix(),
        ),
      );
    const { lacks } = answer;
    const few = lacks.length > 3 ? `${lacks.slice(0, 3).join(", ")} and ${lacks.length - 3} more` : lacks.join(", ");
    if (lacks.length) {
      out.push(line(`No mass and no load: ${few}.`, ""));
      out.push(button("masses", "Add masses of steel bars, and gravity", () => this.act.masses()));
    }
    this.root.replaceChildren(...out);
  }
}

function short(text: string): string {
  const first = text.split("\n")[0];
  return first.length > 170 ? `${first.slice(0, 167)}…` : first;
}

function line(text: string, look: string): HTMLElement {
  const out = document.createElement("p");
  out.textContent = text;
  if (look) out.className = look;
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
