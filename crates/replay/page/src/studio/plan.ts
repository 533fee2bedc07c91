// A floor plan that is dropped on the page becomes the ground of a new scene; two clicks say how large it is.
import type { App } from "./app";
import type { Point } from "./form";
import { make, numberField } from "./make";

/** Bytes of a plan at most: a message has 4 MB, and a byte two digits. */
const MOST = 1_900_000;
const CELL = /^(\s*metres-per-cell\s*=\s*)([0-9.]+)/m;

/** Listens for files. */
export function takePlans(app: App, runs: (text: string) => Promise<boolean>) {
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void takePlan(app, file, runs);
  });
}

async function takePlan(app: App, file: File, runs: (text: string) => Promise<boolean>) {
  if (file.size > MOST) { app.say(`this plan has ${(file.size / 1e6).toFixed(1)} MB; ${(MOST / 1e6).toFixed(1)} can be dropped: put it beside the scene and write \`map\` in the text`, true); return; }
  const name = file.name.replace(/[^A-Za-z0-9 _.-]/g, "_"), bytes = new Uint8Array(await file.arrayBuffer());
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const answer = await app.ask({ kind: "plan", name, hex });
  if (answer.came === "refused") { app.say(answer.why, true); return; }
  const isGrid = /\.(png|jpe?g|bmp|pgm|map)$/i.test(name);
  const ran = await runs(`name = ${JSON.stringify(name.replace(/\.[^.]*$/, ""))}\nseconds = 120\n\n[world]\nmap = ${JSON.stringify(name)}\n${isGrid ? "metres-per-cell = 0.1\n" : ""}\n[[people]]\ncount = 30\n`);
  if (ran && isGrid) { app.setTool("scale"); app.say("now click two points of the plan and say how far apart they are"); }
}

/** Two points of a plan, and how far apart they are in truth. */
export class Scale {
  private points: Point[] = [];
  private metres = 10;

  constructor(private readonly app: App, private readonly text: () => string, private readonly runs: (text: string) => Promise<boolean>) {}

  fields(): HTMLElement[] {
    return [
      make("b", { id: "scale-about" }, this.points.length < 2 ? `click point ${this.points.length + 1} of 2` : `${this.distance().toFixed(2)} m now`),
      numberField("in truth m", this.metres, { min: 0.1, max: 10000, step: 0.1, id: "scale-metres" }, (value) => { this.metres = value; }),
      make("button", { id: "scale-go", class: "main", disabled: this.points.length < 2, click: () => { void this.go(); } }, "Scale"),
    ];
  }

  press(at: Point) { this.points = this.points.length > 1 ? [at] : [...this.points, at]; }

  get shown(): Point[] { return this.points; }

  private distance(): number {
    const [[ax, ay], [bx, by]] = this.points as [Point, Point];
    return Math.hypot(bx - ax, by - ay);
  }

  private async go() {
    const { app } = this, text = this.text(), found = text.match(CELL);
    if (!found) { app.say("only bitmaps and grids are scaled (`metres-per-cell`): other plans are in metres", true); return; }
    const size = Number(found[2]) * (this.metres / Math.max(0.01, this.distance()));
    this.points = [];
    if (!await this.runs(text.replace(CELL, `$1${size.toPrecision(6)}`))) return;
    app.say(`a cell of the plan has ${size.toPrecision(4)} m now`);
    app.setTool("look");
  }
}
