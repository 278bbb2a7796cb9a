// What the page holds: what to draw and how it moves (docs/scene.md), and the columns of the run.

export const GROUND = "ground"; // the name of the body that stands still
export type Vector = number[];
export interface End {
  body: string;
  at: Vector;
}
// Something that leads from a place to a second one, or along an arrow (rows, in ground axes) that begins at `start`
// from the first place. The arrow of a force is `to_scale`, and has the colour of the body that it acts `on`.
export interface Reach {
  name: string;
  first: End;
  second?: End;
  along?: Float32Array;
  start?: Float32Array;
  to_scale?: boolean;
  on?: string;
}
// How long arrows of forces are: so much `per` length of the drawing; `si` is the factor to newtons where the unit of the
// model is none.
export interface ForceScale {
  per: number;
  unit: string;
  si?: { factor: number; unit: string };
  suffix: string;
  part: number; // of the longest bar
}
export type Stretch = "none" | "along" | "all";
// A line or an area of the plane in the axes of its frame; NaN parts a line. Face and edge are tones of the style sheet.
export interface Stroke {
  name: string;
  frame: string;
  layer: number;
  face: string | null;
  edge: string | null;
  line: number;
  stretch: Stretch;
  points: Vector[];
}
export interface Solid {
  name: string;
  frame: string;
  paint: string;
  colour: string;
  stretch: Stretch;
  places: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
}
export interface Body {
  name: string;
  colour: string;
  fixed: boolean;
}
export interface Dot {
  name: string;
  body: string;
  at: Vector;
  named: boolean;
}
// A joint where it is on its second body, and the two bodies that it joins.
export interface Joint {
  name: string;
  body: string;
  at: Vector;
  between: [string, string];
  driven: boolean;
}
export interface Text {
  text: string;
  of: "point" | "body" | "joint";
  body: string;
  anchors: Vector[];
  clear: number;
}
export interface SceneEvent {
  t: number;
  kind: string;
  message: string;
  passed: boolean; // whether the motion went on
}
// A force or torque on a body at a place, in ground axes: columns of the run, or numbers of its own.
export interface Action {
  name: string;
  kind: "reaction" | "driver" | "load" | "weight" | "inertia";
  on: string;
  by?: string; // the opposite acts on this body
  holds: "force" | "torque";
  body: string;
  at: Vector;
  start?: Samples[]; // where it acts, so far from its place: a contact wanders
  columns: Samples[];
}
// A link that strength takes for a beam, in body axes.
export interface BeamLine {
  points: string[];
  corners: Vector[];
  mass: number;
  added: [number, Vector][];
  torque_at?: Vector;
}
// A walk: the body that the view follows, the ground, how high the walker is, and the forces of the ground by the columns
// of their places and components; an arrow of the `weight` is as long as `length`.
export interface WalkData {
  body: string;
  ground: number;
  high: number;
  weight: number;
  length: number;
  reactions: { at: string; force: string[]; colour: string; label: string }[];
}
// How much of a limit a body or a joint uses: the value of a column over it.
export interface UsedPart {
  kind: "body" | "joint";
  name: string;
  column: string;
  limit: number;
}
export interface Scene {
  name: string;
  dimension: 2 | 3;
  units: { length: string; time: string; angle: string };
  size: number;
  thick: number; // half the width of a link
  up: Vector;
  box: [Vector, Vector];
  framed: [Vector, Vector]; // with the arrows of forces
  forces: { scales: ForceScale[]; words: string[]; largest?: number } | null; // `largest`: when a reaction is largest
  bodies: Body[];
  reaches: Reach[];
  strokes: Stroke[]; // in the plane
  solids: Solid[]; // in space
  lines: { frame: string; points: Vector[] }[]; // that names keep clear of
  points: Dot[];
  joints: Joint[];
  texts: Text[];
  events: SceneEvent[];
  walk?: WalkData;
  used?: UsedPart[];
  rest?: Record<string, Vector>; // poses that the motion swings about: they are drawn behind
  marks?: [number, number][]; // places that a point should pass, in their order
  times: Float64Array;
  poses: Record<string, Float64Array[]>; // by body, one array per number of a pose; angles in radians
  rates: Record<string, Float32Array>; // row by row
  actions: Action[];
  beams: Record<string, BeamLine>;
  masses: Record<string, { mass: number; center: Vector }>;
  radians: number; // of the run's unit of angle
  effort_units: { force: string; torque: string };
  other?: OtherScene; // another run, to be seen behind this one
}
export type OtherScene = Pick<Scene, "name" | "strokes" | "bodies" | "points" | "times" | "poses" | "rates">;

export interface Curve {
  t: Float64Array;
  v: Float64Array;
}

// Numbers over time, with their slopes where a cubic runs between them.
export interface Samples extends Curve {
  slope?: Float64Array; // at the same times; none where it was thinned
  gaps: Set<number>; // steps whose curve the rows do not determine, by the numbers of the rows before them
}

// A column; times of its own where it was thinned for drawing. `group` names the columns that share a chart.
export interface Column extends Samples {
  name: string;
  owner: string;
  word: string;
  unit: string;
  order: number;
  group: string;
  colour: string | null;
  scale: number; // the largest number of its kind in the run: what rounding is judged by
  limits?: Limits;
  extremes?: [number, number, number, number]; // least value and its time, greatest and its time, searched between rows
  derivative?: string; // the name of the column that is its derivative
  per?: number; // the unit of that column in the unit of this one per unit of time: 6 for rpm and deg
  samples?: Curve; // that a guided column was smoothed from
  reference?: Curve; // of another table or run
  difference?: boolean; // of a column and that curve
}
// What a column should keep to: a band in which all is well, lines that are trouble, and where it is worst.
export interface Limits {
  band?: [number | null, number | null]; // an end may be open
  lines: number[];
  note: string;
}
export interface Run {
  times: Float64Array; // with those that were added for drawing
  rows: Float64Array; // of the table
  columns: Column[];
  shown: string[]; // charts to begin with
  axis: string | null; // the column to draw them over; null: time
}

// Colours of bodies, and of arrows those of the bodies that they act on.
export function frameColours(scene: Scene): Map<string, string> {
  const own = new Map(scene.bodies.map((body) => [body.name, body.colour]));
  for (const { name, on } of scene.reaches) if (on && own.has(on)) own.set(name, own.get(on)!);
  return own;
}
