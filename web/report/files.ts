// Files of the drawing: as it is, or as a film over the whole motion.
import { download, saveSvg } from "../shared/charts/save";
import type { Clock } from "../shared/clock";
import { recordGif, recordVideo, snapshot, videoKind } from "../shared/film/record";
import type { Viewer } from "../shared/viewer";

export function offerFiles(sheet: HTMLElement, button: HTMLElement, viewer: Viewer, clock: Clock): void {
  const name = document.title.replace(/\W+/g, "_");
  const status = document.createElement("output");
  const seconds = (): number => (clock.end - clock.start) / clock.speed;
  const working = (part: number): void => void (status.textContent = `${Math.round(100 * part)} %`);
  const offer = (text: string, act: () => Promise<void> | void): void => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", async () => {
      for (const one of sheet.querySelectorAll("button")) one.disabled = true;
      try {
        await act();
        status.textContent = "saved";
      } catch (error) {
        status.textContent = `This browser could not make it: ${error}`;
      }
      for (const one of sheet.querySelectorAll("button")) one.disabled = false;
      made.focus(); // which it lost while it was disabled
    });
    sheet.append(made);
  };
  const [picture, over] = viewer.pictures();
  if (picture instanceof SVGSVGElement && !over) offer("SVG", () => saveSvg(picture, name));
  offer("PNG", async () => {
    const canvas = await snapshot(viewer, 4000);
    const content = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    if (content) download(`${name}.png`, content);
  });
  if (clock.end > clock.start) {
    offer("film (GIF)", async () => download(`${name}.gif`, await recordGif(viewer, clock, seconds(), working)));
    const kind = videoKind();
    const ending = kind?.startsWith("video/mp4") ? "mp4" : "webm";
    if (kind)
      offer(`film (${ending})`, async () =>
        download(`${name}.${ending}`, await recordVideo(viewer, clock, seconds(), working)),
      );
  }
  sheet.append(status);
  button.addEventListener("click", () => {
    sheet.hidden = !sheet.hidden;
    button.setAttribute("aria-expanded", String(!sheet.hidden));
    status.textContent = "";
    if (!sheet.hidden) sheet.querySelector("button")?.focus();
  });
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    button.click();
    button.focus();
  });
}
