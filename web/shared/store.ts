// What the page shows, in one place: the part that is selected or under the pointer, and the charts. Components read it
// and are notified of changes; the address of the page holds it, so that a link leads to the same view.

// A part of the mechanism, such as { kind: "body", name: "crank" }.
export interface Part {
  kind: "body" | "joint" | "point" | "driver" | "force";
  name: string;
}
// The columns of one chart, and the column they are drawn over where it is not the axis that all charts share; in a polar
// chart that is the angle of a turn.
export interface ChartSpec {
  columns: string[];
  over: string | null;
  polar?: boolean;
}
// What the middle pane shows: figures of the page's own study, the charts, the free body of a link, or its velocities and
// accelerations.
export type Study = "figures" | "charts" | "body" | "velocities";
export const STUDIES: readonly Study[] = ["figures", "charts", "body", "velocities"];
export interface State {
  study: Study;
  selected: Part | null;
  hovered: Part | null;
  charts: ChartSpec[];
  axis: string | null; // the column that charts are drawn over; null: time
  units: Record<string, string>; // a unit that was chosen instead of the one of the run
  switches?: Record<string, boolean>; // layers of the drawing and panes that were turned on or off by hand
}

type Listener = (state: State, before: State) => void;

export class Store {
  private listeners: Listener[] = [];

  constructor(public state: State) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  change(patch: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.state, before);
  }

  hover(part: Part | null): void {
    if (!same(part, this.state.hovered)) this.change({ hovered: part });
  }

  // Selects a part; selecting it again clears the selection.
  select(part: Part | null): void {
    this.change({ selected: same(part, this.state.selected) ? null : part });
  }
}

// Follows a switch that is on or off at first; answers what turns it over.
export function keepSwitch(store: Store, name: string, first: boolean, change: (on: boolean) => void): () => void {
  let shown = first;
  const follow = (): void => {
    const on = store.state.switches?.[name] ?? first;
    if (on === shown) return;
    shown = on;
    change(on);
  };
  store.listen(follow);
  follow();
  return () => store.change({ switches: { ...store.state.switches, [name]: !shown } });
}

export function same(a: Part | null, b: Part | null): boolean {
  return a === b || (!!a && !!b && a.kind === b.kind && a.name === b.name);
}

export function partText(part: Part): string {
  return `${part.kind}:${part.name}`;
}

export function readPart(text: string | null | undefined): Part | null {
  const found = /^(body|joint|point|driver|force):(.+)$/.exec(text ?? "");
  return found && { kind: found[1] as Part["kind"], name: found[2] };
}

// "P.y+Q.y~P.x": columns of a chart, and after "~" what they are drawn over; "A.f~crank.phi~polar" around a circle.
export function chartText({ columns, over, polar }: ChartSpec): string {
  return columns.join("+") + (over ? `~${over}${polar ? "~polar" : ""}` : "");
}

export function readChart(text: string): ChartSpec {
  const [columns, over, kind] = text.split("~");
  return { columns: columns.split("+"), over: over || null, ...(kind === "polar" && over ? { polar: true } : {}) };
}
