// What the page itself gives away: a picture, and a short film of what is seen.
import type { App } from "./app";
import { make } from "./make";

/** The longest film, in seconds. */
const LONGEST = 60;

function give(blob: Blob, name: string) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The kind of film that this browser makes, or null. */
export function filmKind(): string | null {
  if (typeof MediaRecorder === "undefined") return null;
  return ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

/** Films the canvas for some seconds. */
export async function film(canvas: HTMLCanvasElement, seconds: number): Promise<Blob> {
  const kind = filmKind();
  if (kind === null) throw new Error("this browser makes no films");
  const parts: Blob[] = [], stream = canvas.captureStream(30), recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 8_000_000 });
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise((done) => recorder.addEventListener("stop", done));
  recorder.start(500);
  await new Promise((done) => setTimeout(done, Math.min(seconds, LONGEST) * 1000));
  recorder.stop();
  await ended;
  stream.getTracks().forEach((track) => track.stop());
  return new Blob(parts, { type: kind.split(";")[0] });
}

/** Buttons for a picture and a film. */
export function filmButtons(app: App): HTMLElement {
  const canvas = () => document.querySelector<HTMLCanvasElement>("#stage")!, name = () => app.scene?.name ?? "crowd";
  const seconds = make("input", { id: "film-seconds", type: "number", value: 10, min: 1, max: LONGEST, "aria-label": "Seconds of film" });
  const start = make("button", { id: "film", click: async () => {
    start.disabled = true;
    try {
      app.say(`a film of ${seconds.valueAsNumber} s is made of what you see …`);
      const made = await film(canvas(), seconds.valueAsNumber);
      give(made, `${name()}.${made.type.endsWith("mp4") ? "mp4" : "webm"}`);
      app.say(`the film has ${(made.size / 1e6).toFixed(1)} MB`);
    } catch (error) { app.say(String(error), true); }
    start.disabled = false;
  } }, "Film");
  return make("div", { class: "row" }, make("span", { class: "quiet" }, "Of what you see:"),
    make("button", { id: "picture", click: () => { void app.finely(() => new Promise((done) => { canvas().toBlob((blob) => { if (blob) give(blob, `${name()}.png`); done(); }); })); } }, "Picture"), seconds, " s ", start);
}
