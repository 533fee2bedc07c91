// Vehicles: their way is drawn on the ground, and they are written into the scene's text, which runs again with them.
import { type App, toScene } from "./app";
import { simplify } from "./drawing";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";

const KINDS: Record<string, { length: number; width: number; speed: number }> = {
  bus: { length: 11, width: 2.6, speed: 7 }, tram: { length: 24, width: 2.4, speed: 8 }, van: { length: 5.5, width: 2.1, speed: 8 }, car: { length: 4.4, width: 1.8, speed: 9 },
};

export class Traffic {
  private kind = "bus";
  private every = 45;
  private halts = 1;
  private seconds = 12;

  constructor(private readonly app: App, private readonly text: () => string, private readonly runs: (text: string) => Promise<boolean>) {}

  fields(): HTMLElement[] {
    return [
      choiceField("vehicle", Object.keys(KINDS).map((kind): [string, string] => [kind, kind]), this.kind, (value) => { this.kind = value; }),
      numberField("comes every s", this.every, { min: 5, max: 3600, step: 1, id: "vehicle-every" }, (value) => { this.every = value; }),
      numberField("stops on its way", this.halts, { min: 0, max: 20, step: 1, id: "vehicle-halts" }, (value) => { this.halts = value; }),
      numberField("stops for s", this.seconds, { min: 1, max: 600, step: 1 }, (value) => { this.seconds = value; }),
      make("p", { class: "quiet" }, "draw its way: it comes at the beginning of the line and goes at its end. It is in the text as [[vehicle]]; Undo takes it back"),
    ];
  }

  async release(stroke: Point[]) {
    const { app } = this, { length, width, speed } = KINDS[this.kind], way = simplify(stroke, 0.4);
    const lengths = way.slice(1).map(([x, y], index) => Math.hypot(x - way[index][0], y - way[index][1])), whole = lengths.reduce((sum, each) => sum + each, 0);
    if (whole < length + 2) { app.say(`the way is ${whole.toFixed(0)} m long: a ${this.kind} needs more than ${length + 2} m`, true); return; }
    const at = (along: number): Point => {
      let index = 0;
      while (index < lengths.length - 1 && along > lengths[index]) along -= lengths[index++];
      const part = along / Math.max(1e-6, lengths[index]), [[ax, ay], [bx, by]] = [way[index], way[index + 1]];
      return [ax + (bx - ax) * part, ay + (by - ay) * part];
    };
    const stops = Array.from({ length: this.halts }, (_, index) => `{ at = ${point(toScene(app, at((whole * (index + 1)) / (this.halts + 1))))}, seconds = ${this.seconds} }`);
    const text = this.text(), taken = (name: string) => text.includes(`name = "${name}"`);
    let number = 1;
    while (taken(`${this.kind} ${number}`)) number++;
    const table = `\n[[vehicle]]\nname = "${this.kind} ${number}"\nway = [${way.map((each) => point(toScene(app, each))).join(", ")}]\nlength = ${length}\nwidth = ${width}\nspeed = ${speed}\nfirst = 1\nevery = ${this.every}\n${stops.length > 0 ? `stop = [${stops.join(", ")}]\n` : ""}`;
    if (await this.runs(`${text.trimEnd()}\n${table}`)) app.say(`“${this.kind} ${number}” drives from now on`);
  }
}

const point = ([x, y]: Point) => `[${x}, ${y}]`;
