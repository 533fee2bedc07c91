// The time line: run, pause, step, speed, going back, and marks of what was changed when.
import { type App } from "./app";
import { find, make } from "./make";
import type { State } from "./protocol/State";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export class Timeline {
  private readonly slider = find<HTMLInputElement>("#time");
  private dragging = false;
  private asked = 0;

  constructor(private readonly app: App) {
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
    const last = this.last, rate = this.app.scene?.["frame-rate"] ?? 30;
    find("#marks").replaceChildren(
      make("i", { class: "reached", style: `width:${(state.reached / last) * 100}%` }),
      ...state.marks.map((mark) => make("button", {
        class: mark.own ? "mark own" : "mark", style: `left:${(mark.frame / last) * 100}%`, title: `${(mark.frame / rate).toFixed(1)} s: ${mark.what}`,
        "aria-label": mark.what, click: () => this.goTo(mark.frame, 0),
      })));
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
    find("#clock").textContent = `${(this.frame / rate).toFixed(1)} s${going != null ? ` → ${(going / rate).toFixed(0)}` : ""}`;
  }
}
