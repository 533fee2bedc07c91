// What one event of the time line says, and what can be done with it.
import { type App } from "./app";
import { find, make, numberField } from "./make";
import type { Mark } from "./protocol/Mark";

const same = (a: Mark, b: Mark) => a.frame === b.frame && a.what === b.what && a.own === b.own && a.number === b.number;

export class EventCard {
  private readonly box = find("#event");
  private shown: Mark | null = null;

  constructor(private readonly app: App, private readonly goTo: (frame: number) => void) {}

  private get rate() { return this.app.scene?.["frame-rate"] ?? 30; }

  /** Says what an event is. */
  async show(mark: Mark) {
    const { app } = this, answer = await app.ask({ kind: "event", mark });
    if (answer.came !== "done") return;
    this.shown = mark;
    let seconds = mark.frame / this.rate;
    this.box.hidden = false;
    this.box.replaceChildren(
      make("h2", {}, mark.what),
      make("p", { class: "quiet" }, mark.own ? "made here" : "of the scene's file: moving or deleting it runs the scene again"),
      make("pre", {}, answer.said ?? ""),
      make("form", { class: "row", submit: (event: Event) => { event.preventDefault(); void this.move(mark, Math.round(seconds * this.rate)); } },
        numberField("at s", Math.round(seconds * 100) / 100, { min: 0, step: 0.1, id: "event-seconds" }, (value) => { seconds = value; }),
        make("button", { type: "submit", id: "event-move" }, "Move"),
        make("button", { type: "button", click: () => this.goTo(mark.frame) }, "Go there"),
        make("button", { type: "button", title: "The event before", click: () => this.step(-1) }, "‹"),
        make("button", { type: "button", title: "The event after", click: () => this.step(1) }, "›"),
        make("button", { type: "button", id: "event-delete", click: () => { void this.remove(mark); } }, "Delete"),
        make("button", { type: "button", title: "Close", click: () => this.hide() }, "✕")));
  }

  /** Goes to the event before or after. */
  private step(by: number) {
    const { shown } = this, marks = this.app.state?.marks ?? [], next = shown && marks[marks.findIndex((mark) => same(mark, shown)) + by];
    if (!next) return;
    this.goTo(next.frame);
    void this.show(next);
  }

  hide() {
    this.shown = null;
    this.box.hidden = true;
  }

  /** What is not there any more is not shown any longer. */
  takeMarks(marks: Mark[]) {
    if (this.shown && !marks.some((mark) => same(mark, this.shown!))) this.hide();
  }

  move(mark: Mark, frame: number) {
    return this.ask({ kind: "move-event", mark, frame: Math.max(1, frame) }, `“${mark.what}” happens at ${(frame / this.rate).toFixed(1)} s`);
  }

  remove(mark: Mark) { return this.ask({ kind: "delete-event", mark }, `“${mark.what}” does not happen any more`); }

  private async ask(ask: Parameters<App["ask"]>[0], done: string) {
    this.hide();
    const answer = await this.app.ask(ask);
    if (answer.came === "refused") this.app.say(answer.why, true);
    else this.app.say(answer.came === "done" && answer.said ? answer.said : done);
  }
}
