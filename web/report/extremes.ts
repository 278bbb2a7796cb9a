// The table of extremes: grouped by what a quantity belongs to, with a small curve in every row, to be searched and sorted.
import { spark } from "../shared/charts/spark";
import type { Column, Run } from "../shared/data";

interface Row {
  element: HTMLTableRowElement;
  owner: string;
  words: string;
}

export class Extremes {
  private rows: Row[];
  private order: { column: number; down: boolean } | null = null; // null: in groups
  private body: HTMLTableSectionElement;

  constructor(root: HTMLElement | null, run: Run) {
    const table = root?.querySelector<HTMLTableElement>("table[data-extremes]");
    this.body = table?.tBodies[0] ?? document.createElement("tbody");
    this.rows = [];
    if (!table) return;
    const known = new Map(run.columns.map((column) => [column.name, column]));
    table.tHead!.rows[0].insertBefore(document.createElement("th"), table.tHead!.rows[0].cells[1]).textContent =
      "curve";
    this.rows = Array.from(this.body.rows, (element) => this.row(element, known));
    this.heads(table);
    table.parentElement!.before(this.search());
    this.show("");
  }

  private row(element: HTMLTableRowElement, known: Map<string, Column>): Row {
    const name = element.cells[0].textContent!;
    const column = known.get(name);
    const cell = element.insertCell(1);
    cell.className = "spark lines";
    const drawn = column ?? sizeOf(name, known);
    if (drawn) cell.append(spark(drawn));
    return { element, owner: column?.owner ?? name.replace(/\.[^.]*$/, ""), words: name.toLowerCase() };
  }

  private heads(table: HTMLTableElement): void {
    const cells = Array.from(table.tHead!.rows[0].cells);
    cells.forEach((head, k) => {
      if (k === 1) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.title = "sort; a third click groups again";
      button.addEventListener("click", () => {
        const same = this.order?.column === k ? this.order : null;
        this.order = !same ? { column: k, down: true } : same.down ? { column: k, down: false } : null;
        for (const other of cells) other.removeAttribute("aria-sort");
        if (this.order) head.setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
        this.show();
      });
      head.append(button);
    });
  }

  private search(): HTMLInputElement {
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "search quantities, such as crank v";
    field.setAttribute("aria-label", "search extremes");
    field.addEventListener("input", () => this.show(field.value));
    return field;
  }

  private asked = "";

  private show(asked = this.asked): void {
    this.asked = asked;
    const words = asked.toLowerCase().split(/\s+/);
    const found = this.rows.filter((row) => words.every((word) => row.words.includes(word)));
    if (this.order) {
      const { column, down } = this.order;
      const value = ({ element }: Row): number | string => sortValue(element.cells[column]);
      found.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const sign = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return down ? -sign : sign;
      });
      this.body.replaceChildren(...found.map(({ element }) => element));
      return;
    }
    const groups = new Map<string, Row[]>();
    for (const row of found) groups.set(row.owner, [...(groups.get(row.owner) ?? []), row]);
    this.body.replaceChildren(
      ...[...groups].flatMap(([owner, own]) => [heading(owner), ...own.map(({ element }) => element)]),
    );
  }
}

// Speed and size of the acceleration of a point, from their components.
function sizeOf(name: string, known: Map<string, Column>): Column | null {
  const found = /^(.+)\.(speed|acceleration)$/.exec(name);
  const letter = found?.[2] === "speed" ? "v" : "a";
  const parts = ["x", "y", "z"].flatMap((axis) => known.get(`${found?.[1]}.${letter}${axis}`) ?? []);
  if (!parts.length) return null;
  return { ...parts[0], v: parts[0].v.map((_, k) => Math.hypot(...parts.map(({ v }) => v[k]))) };
}

function sortValue(cell: HTMLTableCellElement | undefined): number | string {
  const marked = cell?.querySelector<HTMLElement>("[data-value], [data-t]");
  const value = Number.parseFloat(marked?.dataset.value ?? marked?.dataset.t ?? "");
  return Number.isFinite(value) ? value : (cell?.textContent ?? "");
}

function heading(owner: string): HTMLTableRowElement {
  const row = document.createElement("tr");
  row.className = "group";
  const cell = document.createElement("th");
  cell.colSpan = 9;
  cell.textContent = owner;
  row.append(cell);
  return row;
}

// What is copied has every digit: numbers are shown with four.
export function copyInFull(): void {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection?.rangeCount || !event.clipboardData) return;
    const part = selection.getRangeAt(0).cloneContents();
    const one = selection.anchorNode?.parentElement?.closest<HTMLElement>("[data-value]");
    const text = part.querySelector("[data-value]")
      ? fullText(part)
      : one?.contains(selection.focusNode)
        ? one.dataset.value
        : null;
    if (!text) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });
}

function fullText(part: DocumentFragment): string {
  for (const element of part.querySelectorAll<HTMLElement>("[data-value]"))
    element.textContent = element.dataset.value!;
  const rows = [...part.querySelectorAll("tr")];
  const cells = (row: Element): string => [...row.children].map((cell) => cell.textContent!.trim()).join("\t");
  return rows.length ? rows.map(cells).join("\n") : part.textContent!;
}
