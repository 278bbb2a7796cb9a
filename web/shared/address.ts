// The view in the address of the page:
// #t=0.83&charts=P.y,P.vy&over=crank.phi&units=P.y:mm&study=body&part=body:coupler&on=ghosts&off=names,facts
import type { Clock } from "./clock";
import { unitsLike } from "./numbers";
import { chartText, partText, readChart, readPart, type State, STUDIES, type Store } from "./store";

const TIME = "t"; // the axis that is no column
const WAIT = 250; // milliseconds of rest before the address is written

// What an address asks for; `unitOf` answers the unit of a column, and undefined where there is none of that name.
export function readAddress(
  unitOf: (column: string) => string | undefined,
  figures = false,
  hash = location.hash,
): Partial<State> & { time?: number } {
  const given = new URLSearchParams(hash.slice(1));
  const known = (column: string): boolean => unitOf(column) !== undefined;
  const list = (key: string): string[] => given.get(key)?.split(",").filter(Boolean) ?? [];
  const out: Partial<State> & { time?: number } = {};
  const charts = list("charts").map(readChart);
  const whole = charts.filter(({ columns, over }) => columns.every(known) && (!over || over === TIME || known(over)));
  if (whole.length) out.charts = whole;
  const over = given.get("over");
  if (over === TIME) out.axis = null;
  else if (over && known(over)) out.axis = over;
  const units = list("units").map((text) => text.split(":"));
  const fitting = units.filter(([column, unit]) => known(column) && unitsLike(unitOf(column)!).includes(unit));
  if (fitting.length) out.units = Object.fromEntries(fitting);
  const switches = [...list("on").map((name) => [name, true]), ...list("off").map((name) => [name, false])];
  if (switches.length) out.switches = Object.fromEntries(switches);
  out.selected = readPart(given.get("part"));
  const study = STUDIES.find((one) => one === given.get("study"));
  if (study && (figures || study !== "figures")) out.study = study;
  const time = Number.parseFloat(given.get("t") ?? "");
  if (Number.isFinite(time)) out.time = time;
  return out;
}

// What differs from the first view, without the time.
export function addressText(state: State, first: State): string[] {
  const { charts, axis, selected, study, units, switches } = state;
  const parts: string[] = [];
  const put = (key: string, values: string[]): void => {
    if (values.length) parts.push(`${key}=${values.map(encodeURIComponent).join(",")}`);
  };
  const [shown, before] = [charts, first.charts].map((list) => list.map(chartText));
  if (shown.join() !== before.join()) put("charts", shown);
  if (axis !== first.axis) put("over", [axis ?? TIME]);
  put(
    "units",
    Object.entries(units).map(([column, unit]) => `${column}:${unit}`),
  );
  if (study !== first.study) put("study", [study]);
  if (selected) put("part", [partText(selected)]);
  const turned = Object.entries(switches ?? {}).filter(([name, on]) => on !== first.switches?.[name]);
  for (const key of ["on", "off"])
    put(
      key,
      turned.filter(([, on]) => on === (key === "on")).map(([name]) => name),
    );
  return parts;
}

export function keepAddress(store: Store, clock: Clock, first: State): void {
  let waiting = 0;
  const write = (): void => {
    const parts = addressText(store.state, first);
    if (clock.time !== clock.start) parts.unshift(`t=${Number(clock.time.toPrecision(9))}`);
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
