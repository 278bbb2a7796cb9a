// A small table of numbers: four digits are shown, a copy has them all.
import { digits } from "../numbers";

export type Cell = string | [value: number, factor: number]; // words, or a value that is shown divided by a factor

export function fillTable(holder: HTMLElement, head: string[], rows: Cell[][]): void {
  const table = document.createElement("table");
  const line = (kind: "th" | "td", cells: Cell[], parent: HTMLTableSectionElement): void => {
    const row = parent.insertRow();
    cells.forEach((content, k) => {
      const cell = document.createElement(k === 0 ? "th" : kind);
      if (k) cell.className = "number";
      cell.textContent = typeof content === "string" ? content : digits(content[0] / content[1], 4);
      if (typeof content !== "string") cell.dataset.value = String(content[0]);
      row.append(cell);
    });
  };
  line("th", head, table.createTHead());
  const body = table.createTBody();
  for (const cells of rows) line("td", cells, body);
  holder.replaceChildren(table);
}
