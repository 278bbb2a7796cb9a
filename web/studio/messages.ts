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
  moving: boolean;
  verdict: string;
  problems: Problem[];
  fix: string;
  words: string;
  pins: Pin[];
  lacks: string[]; // bodies without the mass that the study needs
  data: { scene: unknown; run: unknown } | null;
  headline: Fact[];
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
}
export interface Modes {
  is: "modes";
  modes: { number: number; range: string; circuit: number; bodies: Record<string, number[]> }[];
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
  | { is: "files"; files: string[]; first: string; kinds: string[] }
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
