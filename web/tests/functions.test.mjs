// Pure functions of the page, bundled by esbuild and run by Node's own test runner: node --test web/tests
import assert from "node:assert/strict";
import { test } from "node:test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const shared = join(dirname(fileURLToPath(import.meta.url)), "../shared");

async function load(name) {
  const built = await esbuild.build({
    entryPoints: [join(shared, name)],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].text).toString("base64")}`);
}

const [numbers, store, axis, decoding, figures, contours, designs, picking, clock, address, values, flags] =
  await Promise.all(
    [
      "numbers.ts",
      "store.ts",
      "charts/axis.ts",
      "decode.ts",
      "figures/data.ts",
      "figures/contours.ts",
      "figures/designs.ts",
      "picking.ts",
      "clock.ts",
      "address.ts",
      "charts/values.ts",
      "../report/flags.ts",
    ].map(load),
  );
const doubles = (values) => Buffer.from(new Float64Array(values).buffer).toString("base64");
const near = (found, expected, within = 1e-12) =>
  assert.ok(Math.abs(found - expected) <= within, `${found} is not ${expected}`);

test("numbers have four digits, a prefix and a true minus", () => {
  assert.equal(numbers.quantity(163300, "N m"), "163.3 kN m");
  assert.equal(numbers.quantity(-0.00025, "m"), "−250 µm");
  assert.equal(numbers.digits(1.23456e7), "1.235 × 10⁷");
  assert.equal(numbers.digits(NaN), "–");
});

test("units convert by their definitions", () => {
  near(numbers.conversion("rad", "deg"), 180 / Math.PI);
  near(numbers.conversion("rad/s", "rpm"), 30 / Math.PI);
  near(numbers.conversion("m", "in"), 1 / 0.0254);
  assert.equal(numbers.conversion("m", "N"), 1); // no units of one quantity
});

test("ticks are round and within their range", () => {
  const places = numbers.ticks(0, 1, 5);
  places.forEach((value, k) => near(value, 0.2 * k));
  assert.deepEqual(numbers.tickLabels([-0.5, 0, 0.5]), ["−0.5", "0.0", "0.5"]);
});

test("the address holds what differs from the first view, and reads as it was written", () => {
  const first = { study: "charts", selected: null, hovered: null, charts: [], axis: null, units: {}, switches: {} };
  assert.deepEqual(address.addressText(first, first), []);
  const state = { ...first, axis: "t", units: { "P.x": "mm" }, switches: { names: false, ghosts: true } };
  const text = address.addressText({ ...state, axis: "crank.phi" }, first);
  assert.deepEqual(text, ["over=crank.phi", "units=P.x%3Amm", "on=ghosts", "off=names"]);
  const known = { "P.x": "m", "crank.phi": "rad" };
  const read = address.readAddress((name) => known[name], false, `#${text.join("&")}`);
  assert.equal(read.axis, "crank.phi");
  assert.deepEqual(read.units, { "P.x": "mm" });
  assert.deepEqual(read.switches, { ghosts: true, names: false });
  assert.equal(address.readAddress((name) => known[name], false, "#units=P.x:kg,Q.x:mm").units, undefined);
});

test("the address of a chart and of a part reads as it was written", () => {
  const spec = { columns: ["P.y", "Q.y"], over: "P.x" };
  assert.equal(store.chartText(spec), "P.y+Q.y~P.x");
  assert.deepEqual(store.readChart(store.chartText(spec)), spec);
  assert.deepEqual(store.readPart("body:crank"), { kind: "body", name: "crank" });
  assert.equal(store.readPart("planet:crank"), null);
});

test("a run is decoded to its doubles, with slopes from its derivatives", () => {
  const column = { owner: "P", word: "x", unit: "m/s^2", order: 0, group: "g", colour: null, scale: 1 };
  const run = {
    times: doubles([0, 1, 2]),
    rows: doubles([0, 2]),
    shown: ["P.x"],
    columns: [
      { ...column, name: "P.x", v: doubles([0, 1, 4]), derivative: "P.vx" },
      { ...column, name: "P.vx", v: doubles([0, 2, 4]), gaps: [1] },
    ],
  };
  const scene = { dimension: 2, poses: {}, rates: {}, reaches: [], bodies: [] };
  const found = decoding.decode(run, scene);
  assert.deepEqual([...found.run.columns[0].slope], [0, 2, 4]);
  assert.equal(found.run.columns[0].unit, "m/s²");
  assert.ok(found.run.columns[1].gaps.has(1));
  assert.equal(found.scene.times, found.run.times);
});

test("an axis that rises can be asked for its time, one that turns back cannot", () => {
  const t = Float64Array.from({ length: 21 }, (_, k) => k / 10);
  const column = (of) => ({ name: "c", unit: "rad", t, v: t.map(of), slope: undefined, gaps: new Set(), scale: 1 });
  const rising = axis.columnAxis(
    column((x) => 3 * x),
    "rad",
    [0, 2],
  );
  near(rising.time(1.5), 0.5, 1e-9);
  assert.equal(
    axis
      .columnAxis(
        column((x) => Math.sin(3 * x)),
        "rad",
        [0, 2],
      )
      .time(0.5),
    null,
  );
});

test("the nearest joint within twelve pixels is picked", () => {
  const joint = (name, x) => ({ name, body: "ground", at: [x, 0], between: ["ground", "a"], driven: false });
  const scene = { points: [], joints: [joint("A", 0), joint("B", 20)], bodies: [] };
  const pixel = ([x, y]) => ({ x, y });
  assert.deepEqual(picking.nearestNode(scene, {}, pixel, { x: 15, y: 3 }), { kind: "joint", name: "B" });
  assert.equal(picking.nearestNode(scene, {}, pixel, { x: 40, y: 0 }), null);
});

test("a cycle knows its phase", () => {
  const cycles = [
    [1, 2],
    [2, 4],
  ];
  assert.deepEqual(figures.phase(cycles, 2.5), { cycle: 1, part: 0.25 });
  assert.equal(figures.phase(cycles, 0.5), null);
  near(figures.along([0, 10], [0, 5], 4), 2);
});

test("cubics through a grid keep its values and are exact for parabolas", () => {
  const x = [0, 1, 2, 3, 4];
  const z = x.map((a) => x.map((b) => a * a + b));
  const fine = contours.refined({ x, y: x, z }, 4);
  near(fine.z[4][8], 1 + 2); // at x = 1, y = 2
  near(fine.z[6][8], 1.5 ** 2 + 2); // Catmull–Rom reproduces parabolas between inner places
});

test("a contour lies where its function has the level", () => {
  const x = Array.from({ length: 41 }, (_, k) => -1 + k / 20);
  const z = x.map((a) => x.map((b) => Math.hypot(a, b)));
  const pieces = contours.contour({ x, y: x, z }, 0.5);
  assert.ok(pieces.length > 40);
  for (const [a, b] of pieces) near(Math.hypot(a, b), 0.5, 2e-3);
});

test("brushed ranges keep the designs within them", () => {
  const axes = [{ values: [1, 2, 3] }, { values: [5, null, 7] }];
  assert.deepEqual(designs.within(axes, [[1.5, 3], null]), [false, true, true]);
  assert.deepEqual(designs.within(axes, [null, [0, 9]]), [true, false, true]);
  assert.deepEqual(designs.shares([2, 4, null, 3]).slice(0, 2), [0, 1]);
  assert.equal(designs.nearestDesign([0, 10], [0, 10], [8, 9]), 1);
});

test("a clock goes round, to and fro, or up to its end", () => {
  const round = new clock.Clock(0, 2);
  round.set(1.5);
  round.advance(1);
  near(round.time, 0.5);
  const swing = new clock.Clock(0, 2);
  swing.ending = "swing";
  swing.set(1.5);
  swing.advance(1);
  near(swing.time, 1.5);
});

test("names in a row get as many lines as they need", () => {
  assert.deepEqual(
    designs.linesOf([
      [0, 40],
      [50, 90],
      [95, 150],
      [99, 120],
    ]),
    [0, 0, 1, 0],
  );
  assert.deepEqual(
    designs.linesOf([
      [0, 100],
      [10, 60],
      [20, 70],
    ]),
    [0, 1, 2],
  );
});

test("flags that would cover each other are one, and words need room", () => {
  const event = (t, kind) => ({ t, kind, message: kind, passed: true });
  const events = [
    event(0, "impact"),
    event(5, "impact"),
    event(5, "rest"),
    event(5.2, "impact"),
    event(5.25, "impact"),
  ];
  const found = flags.flagsOf(events, (t) => 100 * t, 1000);
  assert.deepEqual(
    found.map(({ at, events: held, words }) => [at, held.length, words]),
    [
      [0, 1, "impact"],
      [500, 2, ""],
      [520, 2, "2 × impact"],
    ],
  );
});

test("curves that lie on each other are known as such", () => {
  const column = (v) => ({ t: [0, 1, 2], v, unit: "rad" });
  assert.ok(values.coincide(column([0, 1, 0]), column([0, 1.001, NaN])));
  assert.ok(!values.coincide(column([0, 1, 0]), column([0, 1.01, 0])));
});

test("an axis on which designs do not differ is left out", () => {
  assert.equal(designs.varies({ values: [1, 2, null] }), true);
  assert.equal(designs.varies({ values: [4, 4, 4] }), false);
  assert.equal(designs.varies({ values: [null, null] }), false);
  assert.equal(designs.varies({ values: [null, 3] }), false);
});

test("a sentence has the digits of the page; what is quoted or short stays", () => {
  const said =
    'the motion stops at t = 0.812144959 s (crank = -292.372185): the length "a = 1.23456 m" = 0.5, from 12.3456789 to 2.0001';
  const shown = 'the motion stops at t = 0.8121 s (crank = −292.4): the length "a = 1.23456 m" = 0.5, from 12.35 to 2';
  assert.equal(numbers.rounded(said), shown);
  assert.equal(numbers.rounded("t = 1.25e-7 s, x = 0.001234"), "t = 1.25e-7 s, x = 0.001234");
});
