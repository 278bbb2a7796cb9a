// What a drawing of the mechanism can do, in the plane or in space.
import type { Poses } from "./motion";

export interface Viewer {
  show(poses: Poses, time: number): void;
  zoom(factor: number): void;
  fit(): void;
  labels(on: boolean): void;
  paths(on: boolean): void;
  recolour(): void; // light or dark, screen or paper
}

export interface Placed {
  x: number;
  y: number;
} // pixels
