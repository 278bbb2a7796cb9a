// What a drawing of the mechanism can do, in the plane or in space.
import type { Poses } from "./motion";

export type Layer = "names" | "paths" | "forces" | "velocity" | "acceleration";

export interface Viewer {
  readonly layers: readonly Layer[]; // those that there is something to show of
  show(poses: Poses, time: number): void;
  zoom(factor: number): void;
  fit(): void;
  turn(layer: Layer, on: boolean): void;
  grow(on: boolean): void; // paths up to now only
  recolour(): void; // light or dark, screen or paper
}

export interface Placed {
  x: number;
  y: number;
} // pixels
