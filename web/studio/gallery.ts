// The first page: models of the folder, a new one, and the examples, which move while the pointer is on them.
import type { Example, Plan } from "./messages";
import { animate, card } from "./thumbnails";

export class Gallery {
  private drawn = new WeakSet<Element>();

  constructor(
    private root: HTMLElement,
    private choose: {
      open(file: string): void;
      example(name: string): void;
      create(linkage?: string, lengths?: number[]): void;
    },
  ) {
    root.querySelector("#new-model")!.addEventListener("click", () => choose.create());
    root.querySelector("#close-gallery")!.addEventListener("click", () => this.hide());
    const search = root.querySelector<HTMLInputElement>("#search-examples")!;
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      for (const card of root.querySelectorAll<HTMLElement>(".card"))
        card.hidden = !words.every((word) => card.textContent!.toLowerCase().includes(word));
    });
  }

  hide(): void {
    this.root.hidden = true;
  }

  show(closable: boolean): void {
    this.root.hidden = false;
    this.root.querySelector<HTMLElement>("#close-gallery")!.hidden = !closable;
  }

  files(files: string[]): void {
    const list = this.root.querySelector("#own-files")!;
    list.replaceChildren(
      ...files.map((file) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = file;
        button.dataset.file = file;
        button.addEventListener("click", () => this.choose.open(file));
        return button;
      }),
    );
    this.root.querySelector<HTMLElement>("#own")!.hidden = files.length === 0;
  }

  load(examples: Example[]): void {
    const holder = this.root.querySelector("#examples")!;
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) void this.draw(target as HTMLElement);
    });
    holder.replaceChildren(
      ...examples.map(({ name, description, theme }) => {
        const { button } = card(name.replaceAll("_", " "), description);
        button.dataset.example = name;
        button.title = `${theme}: a copy is opened`;
        button.addEventListener("click", () => this.choose.example(name));
        seen.observe(button);
        return button;
      }),
    );
  }

  // Draws an example once it is in sight; it moves while it is pointed at.
  private async draw(holder: HTMLElement): Promise<void> {
    if (this.drawn.has(holder)) return;
    this.drawn.add(holder);
    const data = await fetch(`thumbnail/${holder.dataset.example}`).then((answer) => answer.json() as any);
    if (!data) return;
    animate(holder.querySelector("svg")!, data, holder);
  }

  // Linkages to begin with, each by its lengths.
  offer(plans: Record<string, Plan>): void {
    const rows = Object.entries(plans).map(([kind, { title, lengths }]) => {
      const row = document.createElement("form");
      row.dataset.linkage = kind;
      row.append(Object.assign(document.createElement("b"), { textContent: title }));
      const fields = Object.entries(lengths).map(([name, value]) => {
        const label = Object.assign(document.createElement("label"), { textContent: `${name} ` });
        const field = Object.assign(document.createElement("input"), {
          type: "number",
          step: "any",
          value: String(value),
        });
        label.append(field);
        row.append(label);
        return field;
      });
      row.append(Object.assign(document.createElement("button"), { type: "submit", textContent: "begin" }));
      row.addEventListener("submit", (event) => {
        event.preventDefault();
        this.choose.create(
          kind,
          fields.map((field) => Number(field.value)),
        );
      });
      return row;
    });
    this.root.querySelector("#linkages")!.replaceChildren(...rows);
  }
}
