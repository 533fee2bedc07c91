// The time line: run, pause, step, speed, going back, and marks of what happens when.
import { type App } from "./app";
import { EventCard } from "./event_card";
import { find, make } from "./make";
import type { Mark } from "./protocol/Mark";
import type { State } from "./protocol/State";

/** Pixels of a mark, and rows of them. */
const MARK = 10, ROWS = 3;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export class Timeline {
  private readonly slider = find<HTMLInputElement>("#time");
  private dragging = false;
  private asked = 0;
  private readonly card: EventCard;
  /** Whether a mark is being dragged: it stays where it is until it is let go of. */
  private holds = false;

  constructor(private readonly app: App) {
    this.card = new EventCard(app, (frame) => this.goTo(frame, 0));
    const speed = find<HTMLSelectElement>("#speed");
    speed.append(...SPEEDS.map((each) => make("option", { value: each, selected: each === 1 }, `${each} ×`)));
    speed.addEventListener("change", () => { void app.ask({ kind: "speed", times: Number(speed.value) }); });
    find("#play").addEventListener("click", () => this.toggle());
    find("#step").addEventListener("click", () => { void app.ask({ kind: "step", frames: 1 }); });
    find("#back").addEventListener("click", () => this.by(-1));
    this.slider.addEventListener("pointerdown", () => { this.dragging = true; });
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value), 200));
    this.slider.addEventListener("change", () => { this.dragging = false; this.goTo(Number(this.slider.value), 0); });
  }

  /** The page's own frame. */
  get frame() { return this.app.live.now?.frame ?? 0; }

  toggle() { void this.app.ask({ kind: this.app.state?.playing ? "pause" : "play" }); }

  by(seconds: number) { this.goTo(this.frame + Math.round(seconds * (this.app.scene?.["frame-rate"] ?? 30)), 0); }

  speedBy(steps: number) {
    const at = SPEEDS.indexOf(this.app.state?.speed ?? 1);
    void this.app.ask({ kind: "speed", times: SPEEDS[Math.min(Math.max((at < 0 ? 3 : at) + steps, 0), SPEEDS.length - 1)] });
  }

  /** Goes to a frame, at most as often as every so many milliseconds. */
  goTo(frame: number, every: number) {
    const now = performance.now();
    if (now - this.asked < every) return;
    this.asked = now;
    void this.app.ask({ kind: "go-to", frame: Math.max(1, Math.round(frame)) });
  }

  takeState(state: State) {
    find("#play").textContent = state.playing ? "❚❚" : "▶";
    const speed = find<HTMLSelectElement>("#speed");
    const nearest = SPEEDS.reduce((best, each) => Math.abs(each - state.speed) < Math.abs(best - state.speed) ? each : best, 1);
    speed.value = String(nearest);
    this.showMarks(state);
  }

  private get last() {
    const { state, scene } = this.app;
    return Math.max(scene?.frames ?? 1, state?.reached ?? 1, this.frame, ...(state?.marks ?? []).map((mark) => mark.frame));
  }

  private showMarks(state: State) {
    if (this.holds) return;
    const last = this.last, across = find("#marks").clientWidth, ends: number[] = [];
    /** The row in which a mark covers none before it, if there is one. */
    const rowOf = (frame: number) => {
      const x = (frame / last) * across, free = Array.from({ length: ROWS }, (_, row) => row).find((row) => x - (ends[row] ?? -Infinity) >= MARK);
      const row = free ?? ends.indexOf(Math.min(...ends));
      ends[row] = x;
      return row;
    };
    find("#marks").replaceChildren(
      make("i", { class: "reached", style: `width:${(state.reached / last) * 100}%` }),
      ...state.marks.map((mark) => this.markOf(mark, last, rowOf(mark.frame))));
    find("#track").style.paddingBottom = `${Math.max(0, ends.length - 1) * MARK}px`;
    this.card.takeMarks(state.marks);
  }

  /** A mark: a click goes there and says what it is, dragging moves it in time, Delete deletes it. */
  private markOf(mark: Mark, last: number, row: number): HTMLElement {
    const rate = this.app.scene?.["frame-rate"] ?? 30;
    let moved = false, to = mark.frame, start = 0;
    const visit = () => { this.goTo(mark.frame, 0); void this.card.show(mark); };
    const button: HTMLElement = make("button", {
      class: mark.own ? "mark own" : "mark", style: `left:${(mark.frame / last) * 100}%; top:${row * MARK}px`, title: `${(mark.frame / rate).toFixed(1)} s: ${mark.what}`,
      "aria-label": mark.what,
      pointerdown: (event: PointerEvent) => { button.setPointerCapture(event.pointerId); this.holds = true; moved = false; start = event.clientX; },
      pointermove: (event: PointerEvent) => {
        if (!this.holds || (!moved && Math.abs(event.clientX - start) < 4)) return;
        moved = true;
        const box = find("#marks").getBoundingClientRect();
        to = Math.round(Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * last);
        button.style.left = `${(to / last) * 100}%`;
        find("#clock").textContent = `${(to / rate).toFixed(1)} s`;
      },
      pointerup: () => { this.holds = false; if (moved) void this.card.move(mark, to); else visit(); },
      pointercancel: () => { this.holds = false; if (this.app.state) this.showMarks(this.app.state); },
      // By the keyboard.
      click: (event: MouseEvent) => { if (event.detail === 0) visit(); },
      keydown: (event: KeyboardEvent) => { if (event.key === "Delete") { event.stopPropagation(); void this.card.remove(mark); } },
    });
    return button;
  }

  private shownLast = 0;
  draw() {
    const last = this.last, rate = this.app.scene?.["frame-rate"] ?? 30;
    if (last !== this.shownLast) {
      this.shownLast = last;
      this.slider.max = String(last);
      if (this.app.state) this.showMarks(this.app.state);
    }
    if (!this.dragging) this.slider.value = String(this.frame);
    const going = this.app.state?.["going-to"];
    if (!this.holds) find("#clock").textContent = `${(this.frame / rate).toFixed(1)} s${going != null ? ` → ${(going / rate).toFixed(0)}` : ""}`;
  }
}
