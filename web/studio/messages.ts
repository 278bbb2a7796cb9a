// The messages between page and server, as src/mubo/studio/protocol.py declares them.
export interface Problem {
  line: number;
  text: string;
  severity: "error" | "warning";
  names: string[];
}
export type Path = (string | number)[];
export type Entry = [Path, string, number]; // path, literal as it stands in the file, line
export type Pin = [string, string, number[]]; // "crank.B", its body, its place in the body's axes

export interface State {
  is: "state";
  file: string;
  text: string;
  version: number;
  saved: boolean;
  notice: string;
  undo: string;
  redo: string;
  entries: Entry[];
}
export interface Fact {
  label: string;
  text: string;
  t: number | null;
  part: string;
  judgement: string;
}
export interface Answer {
  is: "answer";
  version: number;
  tab: string;
  brief: boolean;
  preview: boolean;
  gesture?: number; // of a preview: the drag, and the move that it is of
  number?: number;
  moving: boolean;
  verdict: string;
  problems: Problem[];
  fix: string;
  words: string;
  pins: Pin[];
  needs: Need[]; // what stands in the way of the study
  follows?: string; // of a preview: how near the path of a point comes to its targets
  free: Record<string, number[]>; // an undriven motion: rates x, y, phi of bodies
  hinges: Record<string, string>; // in space: the joint along which each link is dragged
  culprits: string[]; // parts that the first error is about
  data: { scene: unknown; run: unknown } | null;
  headline: Fact[];
}
// A sentence on what a study lacks, and the tool that mends it with the word of its button.
export interface Need {
  text: string;
  mend: string;
  tool: string;
  with: Record<string, unknown>;
}
// A tool as src/mubo/studio/tools.py declares it.
export interface Tool {
  name: string;
  title: string;
  on: string[];
  fill: Record<string, string>;
  then: "" | "pin" | "body";
  for: string;
  unless: string;
}
export interface Plan {
  title: string;
  lengths: Record<string, number>;
}
export interface Design {
  label: string;
  data: { scene: unknown; run: unknown } | null;
}
export interface Influence {
  is: "influence";
  point: string;
  t: number;
  lengths: { body: string; ends: string[]; length: number; by: number[]; size: number }[];
  band: { axes: number[]; angle: number };
  tolerance: number;
}
// Words of the file: tables, their keys and what they mean; "" is the table itself.
export type Vocabulary = Record<string, Record<string, string>>;
export interface Files {
  is: "files";
  files: string[];
  first: string;
  kinds: string[];
  tools: Tool[];
  linkages: Record<string, Plan>;
  vocabulary: Vocabulary;
}
export interface Moved {
  is: "moved";
  gesture: number;
  number: number;
  possible: boolean;
  message: string;
  points?: Record<string, number[]>;
  times?: string;
  poses?: Record<string, string>;
  forces?: { arrows: Record<string, string[]>; sizes: Record<string, number> } | null; // at the time that is shown
}
// A released mechanism: x, y, radians of its bodies.
export interface Frame {
  is: "frame";
  t: number;
  poses: Record<string, number[]>;
}
export interface Equilibria {
  is: "equilibria";
  equilibria: { number: number; stability: string; at: string; bodies: Record<string, number[]> }[];
  free: string[]; // drivers that were left free
  notes: string[];
}
export interface Modes {
  is: "modes";
  driver: string;
  modes: {
    number: number;
    range: string;
    ends: (number | null)[] | null;
    circuit: number;
    bodies: Record<string, number[]>;
  }[];
}
export interface Example {
  name: string;
  description: string;
  theme: string;
}
export type Message =
  | State
  | Answer
  | Moved
  | Modes
  | Files
  | Influence
  | Frame
  | Equilibria
  | { is: "designs"; designs: Design[] }
  | { is: "gallery"; examples: Example[] }
  | { is: "refused"; text: string; names: string[]; gesture?: number }
  | { is: "nothing" };

export interface Request {
  do: string;
  [key: string]: unknown;
}

// Numbers of a message: base64 of little-endian doubles.
export function doubles(text: string): Float64Array {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return new Float64Array(bytes.buffer);
}

// The same of little-endian floats of four bytes.
export function floats(text: string): Float32Array {
  return new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}
