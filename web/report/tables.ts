// A table that goes on beyond the edge can be reached and scrolled by keys; one that is seen whole is no stop on the way.
export function keepTables(root: HTMLElement): void {
  const look = (holders: HTMLElement[]): void => {
    for (const holder of holders) {
      const hidden = holder.scrollWidth > holder.clientWidth + 1;
      holder.toggleAttribute("data-scrolls", hidden);
      if (hidden) {
        holder.tabIndex = 0;
        holder.setAttribute("role", "region");
        holder.setAttribute("aria-label", `table of ${headOf(holder)}`);
      } else for (const name of ["tabindex", "role", "aria-label"]) holder.removeAttribute(name);
    }
  };
  // The table is watched beside its holder: rows that come in and out change its width while the holder keeps its own.
  const watch = new ResizeObserver((all) => look(all.map(({ target }) => target.closest<HTMLElement>(".wide")!)));
  for (const holder of root.querySelectorAll<HTMLElement>(".wide")) {
    watch.observe(holder);
    for (const table of holder.children) watch.observe(table);
  }
}

// The heads of its columns.
function headOf(holder: HTMLElement): string {
  const heads = [...holder.querySelectorAll("thead th")].map((head) => head.textContent!.trim());
  return heads.filter(Boolean).join(", ") || "numbers";
}
