// A former design that is kept to be compared: a ghost behind the drawing, dashed curves in the charts.
import type { Run, Scene } from "../shared/data";

export class Comparison {
  private kept: { scene: Scene; run: Run } | null = null;

  get on(): boolean {
    return this.kept !== null;
  }

  keep(scene: Scene, run: Run): void {
    this.kept = { scene, run };
  }

  clear(): void {
    this.kept = null;
  }

  // The scene and run of the new design with the former one beside them.
  beside(scene: Scene, run: Run): { scene: Scene; run: Run } {
    if (!this.kept) return { scene, run };
    const { scene: old, run: before } = this.kept;
    const { strokes, bodies, points, times, poses, rates } = old;
    const reaches = new Set(old.reaches.map(({ name }) => name));
    const other = {
      ...{ name: "former design", bodies, points, times, poses, rates },
      strokes: strokes.filter(({ frame }) => !reaches.has(frame)),
    };
    const known = new Map(before.columns.map((column) => [column.name, column]));
    const columns = run.columns.map((column) => {
      const former = known.get(column.name);
      return former && former.unit === column.unit ? { ...column, reference: { t: former.t, v: former.v } } : column;
    });
    return { scene: { ...scene, other }, run: { ...run, columns } };
  }
}
