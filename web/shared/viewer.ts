// What a drawing of the mechanism can do, in the plane or in space.
import type { Run, Scene } from "./data";
import type { Motion, Poses } from "./motion";
import type { Part } from "./store";

export type Layer =
  | "names"
  | "paths"
  | "forces"
  | "velocity"
  | "acceleration"
  | "ghosts"
  | "centres"
  | "other"
  | "used"
  | "cut"
  | "follow";
// What a drawing shows first.
export const FIRST_LAYERS: Readonly<Record<Layer, boolean>> = {
  ...{ names: true, paths: true, forces: true, velocity: false, acceleration: false, ghosts: false },
  ...{ centres: false, other: true, used: true, cut: false, follow: false },
};

export interface Viewer {
  readonly layers: readonly Layer[]; // those that there is something to show of
  readonly scale: number; // pixels per length
  load(scene: Scene, motion: Motion, run: Run): void; // another run; the view stays
  show(poses: Poses, time: number): void;
  zoom(factor: number): void;
  pan(dx: number, dy: number): void; // pixels
  orbit?(across: number, up: number): void; // in space, radians
  fit(): void;
  turn(layer: Layer, on: boolean): void;
  grow(on: boolean): void; // paths up to now only
  light(selected: Part | null, hovered: Part | null): void;
  recolour(): void; // light or dark, screen or paper
  pictures(): (SVGSVGElement | HTMLCanvasElement)[]; // of the time shown, from below to above
}

// What a viewer asks of the page around it.
export interface Wishes {
  select(part: Part | null): void;
  hover(part: Part | null): void;
  go(time: number): void; // a part was dragged along its motion
  now(): number;
  // what a drag from a place changes; null: it goes through time. In space with the direction of sight
  edit?(part: Part | null, at: number[], towards?: number[]): Edit | null;
  drawn?(poses: Poses): void; // the drawing was shown anew
}

// A drag that changes the mechanism; places are in ground axes.
export interface Edit {
  move(to: number[]): void;
  end(): void;
}

export interface Placed {
  x: number;
  y: number;
} // pixels
