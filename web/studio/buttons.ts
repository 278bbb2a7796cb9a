// The buttons of the page and what they do.
import { download, savePng, saveSvg } from "../shared/charts/save";
import { recordGif, recordVideo, videoKind } from "../shared/film/record";
import type { Layer } from "../shared/viewer";
import type { State } from "./messages";
import { button } from "./design";
import { part } from "./page";
import { pinDesign } from "./stage";
import type { Studio } from "./start";

export function connectButtons(studio: Studio): void {
  const click = (id: string, act: () => void): void => part(id).addEventListener("click", act);
  click("edit", () => studio.edit(true));
  click("watch", () => studio.edit(false));
  click("undo", () => studio.undo());
  click("redo", () => studio.redo());
  click("models", () => studio.gallery.show(true));
  click("help", () => (studio.panel.open ? studio.panel.hide() : studio.panel.help(() => studio.guide.begin())));
  click("modes", () => studio.send({ do: "modes" }));
  click("pin-design", () => pinDesign(studio));
  click("photo-behind", () => studio.background.open());
  click("nearer", () => studio.viewer?.zoom(1.4));
  click("farther", () => studio.viewer?.zoom(1 / 1.4));
  click("fit", () => studio.viewer?.fit());
  click("save-svg", () => studio.plane && saveSvg(studio.plane.pictures()[0], stem(studio)));
  click("save-png", () => studio.plane && savePng(studio.plane.pictures()[0], stem(studio)));
  for (const event of ["pointerdown", "pointerenter"])
    part("figure").addEventListener(event, () => studio.swing.stop(), { capture: true });
  click("snap", () => {
    studio.hand.snapping = !studio.hand.snapping;
    part("snap").setAttribute("aria-pressed", String(studio.hand.snapping));
  });
  part("axis").addEventListener("change", (event) =>
    studio.store.change({ axis: (event.target as HTMLSelectElement).value || null }),
  );
  for (const button of document.querySelectorAll<HTMLElement>("[data-tab]"))
    button.addEventListener("click", () => studio.choose(button.dataset.tab!));
  for (const button of document.querySelectorAll<HTMLElement>("[data-layer]"))
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      studio.viewer?.turn(button.dataset.layer as Layer, on);
    });
  click("save-as", () => saveAs(studio));
  click("copy-python", () => void copyPython(studio));
  click("save-gif", () => void film(studio, "gif"));
  click("save-video", () => void saveVideo(studio));
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-export]"))
    link.href = `export/${encodeURIComponent(studio.file)}?kind=${link.dataset.export}`;
}

async function film(studio: Studio, ending: "gif" | "mp4" | "webm"): Promise<void> {
  const { viewer, clock } = studio;
  if (!viewer || clock.end <= clock.start) return studio.words.say("Nothing moves, so there is nothing to film.", true);
  const working = (done: number): void => studio.words.say(`film: ${Math.round(100 * done)} %`);
  const seconds = (clock.end - clock.start) / clock.speed;
  const record = ending === "gif" ? recordGif : recordVideo;
  download(`${stem(studio)}.${ending}`, await record(viewer, clock, seconds, working));
  studio.words.say("");
}

// MP4 by the browser where it can, else by the server; where neither has an encoder that is stated.
async function saveVideo(studio: Studio): Promise<void> {
  const kind = videoKind();
  if (kind?.startsWith("video/mp4")) return film(studio, "mp4");
  studio.words.say("film: the server draws it …");
  const answer = await fetch(`export/${encodeURIComponent(studio.file)}?kind=mp4`);
  if (answer.ok) {
    download(`${stem(studio)}.mp4`, await answer.blob());
    return studio.words.say("");
  }
  const reason = await answer.text();
  if (kind) await film(studio, "webm");
  studio.words.say(`${reason}${kind ? " This film is a WebM." : ""}`, true);
}

function stem(studio: Studio): string {
  return studio.file.replace(/\W+/g, "_");
}

// A copy under another name, which is then open.
function saveAs(studio: Studio): void {
  const field = Object.assign(document.createElement("input"), {
    id: "new-name",
    value: studio.file.replace(/\.\w+$/, ""),
  });
  field.setAttribute("aria-label", "name of the copy");
  const save = (): void => studio.send({ do: "save as", name: field.value.trim() });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") save();
  });
  studio.panel.show("Save as", field, button("save", save));
  field.focus();
  field.select();
}

// The model as Python: the file, read, and its study.
async function copyPython(studio: Studio): Promise<void> {
  const text = await fetch(`export/${encodeURIComponent(studio.file)}?kind=py`).then((answer) => answer.text());
  const area = Object.assign(document.createElement("textarea"), {
    value: text,
    rows: 12,
    readOnly: true,
    id: "python",
  });
  studio.panel.show("Python", area);
  area.select();
  try {
    await navigator.clipboard.writeText(text);
    studio.words.say("Copied.");
  } catch {
    studio.words.say("Press Ctrl-C: this browser lets pages copy by keys alone.");
  }
}

// What undo and redo would take back or bring back.
export function showHistory(state: State): void {
  const [undo, redo] = [part<HTMLButtonElement>("undo"), part<HTMLButtonElement>("redo")];
  [undo.disabled, redo.disabled] = [!state.undo, !state.redo];
  undo.title = state.undo ? `undo ${state.undo} (Ctrl-Z)` : "nothing to undo";
  redo.title = state.redo ? `redo ${state.redo} (Ctrl-Y)` : "nothing to redo";
}
