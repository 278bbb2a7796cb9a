// All columns, one line per body, point or joint, to switch charts on and off; and what all charts are drawn over.
import type { Run } from "../data";
import type { Store } from "../store";

export class Picker {
  private buttons: HTMLButtonElement[] = [];

  constructor(
    root: HTMLElement,
    run: Run,
    private store: Store,
  ) {
    const holder = root.querySelector<HTMLElement>("#columns")!;
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
      button.addEventListener("click", () => toggleChart(store, name));
      lines.get(owner)!.append(button);
      this.buttons.push(button);
    }
    this.search(root.querySelector<HTMLInputElement>("#search")!, lines);
    this.axes(document.querySelector<HTMLSelectElement>("#axis")!, run);
    store.listen(() => this.update());
    this.update();
  }

  private search(search: HTMLInputElement, lines: Map<string, HTMLElement>): void {
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const fits = (button: HTMLButtonElement): boolean =>
        words.every((word) => button.dataset.column!.toLowerCase().includes(word));
      for (const button of this.buttons) button.hidden = !fits(button);
      for (const line of lines.values())
        line.hidden = ![...line.querySelectorAll("button")].some((button) => !button.hidden);
    });
  }

  // Time, then the values of drivers, then every other column.
  private axes(select: HTMLSelectElement, run: Run): void {
    const names = run.columns.map(({ name }) => name);
    const drivers = names.filter((name) => name.endsWith(".value"));
    select.add(new Option("time", ""));
    for (const name of [...drivers, ...names.filter((one) => !drivers.includes(one))])
      select.add(new Option(name, name));
    select.addEventListener("change", () => this.store.change({ axis: select.value || null }));
    this.select = select;
  }
  private select!: HTMLSelectElement;

  private update(): void {
    const { charts, axis } = this.store.state;
    const shown = new Set(charts.flatMap(({ columns }) => columns));
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(shown.has(button.dataset.column!)));
    this.select.value = axis ?? "";
  }
}

// A chart more, or one less.
export function toggleChart(store: Store, name: string): void {
  const { charts } = store.state;
  const has = charts.some(({ columns }) => columns.includes(name));
  const without = charts
    .map((spec) => ({ ...spec, columns: spec.columns.filter((column) => column !== name) }))
    .filter(({ columns }) => columns.length);
  store.change({ charts: has ? without : [...charts, { columns: [name], over: null }] });
}
