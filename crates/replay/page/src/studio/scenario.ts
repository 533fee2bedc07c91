// The scenario as a graph over the ground: stops and exits are drawn, and arrows say what comes after what.
import { type App, toScene } from "./app";
import { rectangle } from "./drawing";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";

/** How near to its middle one takes hold of a stop, in metres. */
const NEAR = 1.5;

export class Scenario {
  private exit = false;
  private stay = 5;
  private from = -1;

  constructor(private readonly app: App) {}

  fields(): HTMLElement[] {
    return [
      choiceField("new ones are", [["stop", "stops"], ["exit", "exits"]], this.exit ? "exit" : "stop", (value) => { this.exit = value === "exit"; }),
      numberField("stay s", this.stay, { min: 0, max: 3600, step: 1, id: "stop-stay" }, (value) => { this.stay = value; }),
      make("p", { class: "quiet" }, "drag over the ground for a new one; drag from one to another to lead people on"),
    ];
  }

  /** The stop near a point, by number, or -1. */
  private near(at: Point): number {
    return (this.app.state?.scenario ?? []).findIndex((stop) => stop.at && !stop.closed && Math.hypot(stop.at[0] - at[0], stop.at[1] - at[1]) < NEAR);
  }

  press(at: Point) { this.from = this.near(at); }

  /** What is drawn while the pointer moves. */
  outline(first: Point, last: Point): Point[] { return this.from >= 0 ? [first, last] : rectangle(first, last); }

  get closed() { return this.from < 0; }

  show(on: boolean) {
    const { app } = this, stops = (app.state?.scenario ?? []).map((stop, number) => ({ ...stop, name: app.state!.stops[number] }));
    app.drawing.showScenario(on ? stops.filter((stop) => !stop.closed) : [], stops);
  }

  async release(first: Point, last: Point) {
    const { app, from } = this, to = this.near(last);
    if (from >= 0) {
      if (to < 0) { app.say("drag onto the stop that comes next", true); return; }
      await this.lead(app.state!.stops[from], app.state!.stops[to]);
      return;
    }
    if (Math.abs(first[0] - last[0]) < 0.5 || Math.abs(first[1] - last[1]) < 0.5) return;
    const taken = new Set([...(app.state?.stops ?? []), ...(app.state?.regions ?? []).map((each) => each.name)]);
    let number = 1;
    const kind = this.exit ? "exit" : "stop";
    while (taken.has(`${kind} ${number}`)) number++;
    const name = `${kind} ${number}`, [low, , high] = rectangle(toScene(app, first), toScene(app, last));
    await app.enact({ region: { name, rectangle: [...low, ...high] }, stop: { name, region: name, ...(this.exit ? { exit: true } : { stay: [this.stay, this.stay] }) } });
  }

  /** Lets people who were at one stop go to another. */
  private async lead(from: string, to: string) {
    const { app } = this, answer = await app.ask({ kind: "table", of: "stop", name: from });
    if (answer.came !== "table") { if (answer.came === "refused") app.say(answer.why, true); return; }
    const next = { ...(answer.table.next as Record<string, number> | undefined ?? {}) };
    if (to in next) delete next[to]; else next[to] = 1;
    await app.enact({ stop: { ...answer.table, next } });
  }
}
