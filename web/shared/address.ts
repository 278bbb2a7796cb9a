// The view in the address of the page: #t=0.83&charts=P.y,P.vy&over=crank.phi&study=body&part=body:coupler
import type { Clock } from "./clock";
import { chartText, partText, readChart, readPart, type State, STUDIES, type Store } from "./store";

const WAIT = 250; // milliseconds of rest before the address is written

export function readAddress(known: (column: string) => boolean): Partial<State> & { time?: number } {
  const given = new URLSearchParams(location.hash.slice(1));
  const out: Partial<State> & { time?: number } = {};
  const charts = given.get("charts")?.split(",").map(readChart) ?? [];
  const whole = charts.filter(({ columns, over }) => columns.every(known) && (!over || known(over)));
  if (whole.length) out.charts = whole;
  const over = given.get("over");
  if (over && known(over)) out.axis = over;
  out.selected = readPart(given.get("part"));
  const study = STUDIES.find((one) => one === given.get("study"));
  if (study) out.study = study;
  const time = Number.parseFloat(given.get("t") ?? "");
  if (Number.isFinite(time)) out.time = time;
  return out;
}

export function keepAddress(store: Store, clock: Clock, first: State): void {
  let waiting = 0;
  const write = (): void => {
    const { charts, axis, selected, study } = store.state;
    const parts: string[] = [];
    if (clock.time !== clock.start) parts.push(`t=${Number(clock.time.toPrecision(9))}`);
    if (charts !== first.charts)
      parts.push(`charts=${charts.map((spec) => encodeURIComponent(chartText(spec))).join(",")}`);
    if (axis) parts.push(`over=${encodeURIComponent(axis)}`);
    if (study !== "charts") parts.push(`study=${study}`);
    if (selected) parts.push(`part=${encodeURIComponent(partText(selected))}`);
    const target = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
    try {
      history.replaceState(null, "", target);
    } catch {
      return; // a page inside a notebook has no address of its own
    }
  };
  const later = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => clock.playing || write(), WAIT);
  };
  store.listen(later);
  clock.listen(later);
}
