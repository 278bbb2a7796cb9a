// The drawing of the page, and what a hand on it needs: the scene that it changes, and how the change is shown.
import type { Run, Scene } from "../shared/data";
import { Motion } from "../shared/motion";
import { PlaneViewer } from "../shared/plane/view";
import { SpaceViewer } from "../shared/space/view";
import type { Layer, Viewer, Wishes } from "../shared/viewer";
import { Editor } from "./editor";
import { Fields } from "./fields";
import { Gallery } from "./gallery";
import type { Stage } from "./hand";
import { Inspector } from "./inspector";
import type { Modes, Request } from "./messages";
import { Overlay } from "./overlay";
import { part } from "./page";
import { emptyScene } from "./results";
import type { Studio } from "./start";

export function stageOf(studio: Studio): Stage {
  return {
    scene: () => studio.scene,
    run: () => studio.run,
    pins: () => studio.pins,
    time: () => studio.clock.time,
    pixels: () => studio.viewer?.scale ?? 1,
    show: (scene, motion, run) => {
      studio.plane?.reshape(scene, motion, run);
      studio.viewer!.show(motion.at(studio.clock.time), studio.clock.time);
    },
    reset: () => {
      studio.overlay.pins = studio.pins;
      if (studio.motion) studio.viewer?.load(studio.scene!, studio.motion, studio.run!);
    },
    restore: () => studio.redraw(),
    freed: () => {
      studio.selection.again();
      const shown = Number.parseInt(document.body.dataset.answered ?? "", 10);
      if (studio.state && shown !== studio.state.version) studio.send({ do: "solve", tab: studio.tab });
    },
    say: (text, opens) => studio.words.say(text, Boolean(opens) || /stops here|cannot/.test(text)),
    tool: (name, given) => studio.tool(name, given),
  };
}

// The drawing in the plane or in space, which asks the page what a press on it does.
export function openViewer(studio: Studio, scene: Scene, motion: Motion, run: Run): void {
  const wishes: Wishes = {
    select: (chosen) => studio.selection.click(chosen),
    hover: (over) => studio.store.hover(over),
    go: (time) => studio.player.go(time),
    now: () => studio.clock.time,
    edit: (over, at, towards) => studio.selection.press(over, at, towards),
    drawn: (poses) => studio.drawn(poses),
  };
  const figure = part("figure");
  if (scene.dimension === 3) {
    document.body.classList.add("space");
    figure.querySelector("canvas")!.hidden = false;
    studio.viewer = new SpaceViewer(figure, scene, motion, run, wishes);
  } else {
    studio.plane = new PlaneViewer(figure.querySelector<SVGSVGElement>("#drawing")!, scene, motion, run, wishes);
    studio.viewer = studio.plane;
    studio.plane.left = part("rail").offsetHeight > part("rail").offsetWidth ? part("rail").offsetWidth + 8 : 0;
    studio.plane.fit();
  }
  studio.edit((scene.dimension === 2 || Object.keys(studio.hinges).length > 0) && studio.editing);
}

// What is drawn over and under the mechanism while it is edited, with fields for its dimensions.
export function openOverlay(studio: Studio, grid: SVGSVGElement, above: SVGSVGElement): Overlay {
  const { selection } = studio;
  const fields = new Fields(
    part("lengths"),
    () => studio.hand.locks,
    {
      length: (body, ends, text) => selection.setLength(body, ends, text),
      angle: (first, second, text) => selection.setAngle(first, second, text),
      coordinate: (pin, axis, text) => selection.setCoordinate(pin, axis, text),
    },
    () => studio.redraw(),
  );
  const scene = (): Scene | null => studio.scene;
  return new Overlay(
    grid,
    above,
    fields,
    () => studio.plane,
    scene,
    () => studio.store.state.selected,
  );
}

export function openInspector(studio: Studio, slide: (request: Request) => void): Inspector {
  const places = [part("values"), part("parameters"), part("columns"), part<HTMLInputElement>("search")] as const;
  return new Inspector(...places, studio.clock, studio.store, {
    set: (path, literal) => studio.send({ do: "set", path, literal }),
    slide: (path, literal) => slide({ do: "slide", path, literal }),
    parameter: (path, name) => studio.tool("parameter", { path, name }),
    reveal: (line) => studio.editor.reveal(line),
  });
}

// The assembly modes side by side, and the range of the driver as an arc around its joint.
export function showModes(studio: Studio, message: Modes): void {
  const scene = studio.scene!;
  studio.panel.modes(message, scene, (number) => studio.send({ do: "mode", number }));
  const [low, high] = message.modes[0]?.ends ?? [null, null];
  const body = message.driver.split(".")[0];
  const joint = scene.joints.find((one) => one.driven || one.name === message.driver || one.between.includes(body));
  const { radians } = scene;
  studio.overlay.dial =
    (joint && {
      ...{ joint: joint.name, low: (low ?? 0) * radians },
      high: high === null ? (low ?? 0) * radians + 2 * Math.PI : high * radians,
    }) ||
    null;
  studio.redraw();
}

// Keeps the design that is shown to compare later ones with it, or forgets it.
export function pinDesign(studio: Studio): void {
  const { former, alone } = studio;
  if (former.on) former.clear();
  else if (alone) former.keep(alone.scene, alone.run);
  part("pin-design").setAttribute("aria-pressed", String(former.on));
  studio.send({ do: "solve", tab: studio.tab });
}

export function openEditor(studio: Studio): Editor {
  const ends = (text: string): string => (studio.state!.text.includes("\r\n") ? text.replace(/\n/g, "\r\n") : text);
  return new Editor(
    part("text"),
    (text) => studio.send({ do: "text", text: ends(text), version: studio.state!.version }),
    {
      undo: () => studio.undo(),
      redo: () => studio.redo(),
      line: (line) => studio.selection.line(line),
    },
  );
}

export function openGallery(studio: Studio, go: (file: string) => void): Gallery {
  return new Gallery(part("gallery"), {
    open: go,
    example: (name) => studio.send({ do: "example", name }),
    create: (linkage, lengths) =>
      studio.send(
        linkage
          ? { do: "new", name: linkage.replaceAll("-", "_"), linkage, lengths }
          : { do: "new", name: "mechanism" },
      ),
  });
}

// A grid to begin on.
export function openEmpty(studio: Studio): void {
  const { scene, run } = emptyScene();
  [studio.scene, studio.run, studio.motion] = [scene, run, new Motion(scene)];
  openViewer(studio, scene, studio.motion, run);
  studio.player.load(run, scene);
  studio.clock.set(0);
  studio.rail.choose("link");
}

// Buttons of the layers that there is something to show of.
export function showLayers(viewer: Viewer): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
    button.hidden = !viewer.layers.includes(button.dataset.layer as Layer);
}
