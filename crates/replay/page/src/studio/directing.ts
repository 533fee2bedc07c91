// Directing: one person to an exact place, or many into a shape.
import { type App, toScene } from "./app";
import { crossesItself, simplify } from "./drawing";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";

/** The tip of a ghost's arrow, in metres from its middle, and how near one has to take hold of it. */
const TIP = 1.0, NEAR = 0.4;

const FORMS: [string, string][] = [["fill", "all over an area"], ["along", "along a line"], ["word", "a word: click its corner"]];

/** When and how long: shared by all who are directed. */
class Times {
  /** Seconds from now; 0 as soon as they can. */
  within = 0;
  stay = 5;

  constructor(private readonly app: App) {}

  fields(): HTMLElement[] {
    return [
      numberField("in s (0: at once)", this.within, { min: 0, max: 600, step: 0.5, id: "direct-within" }, (value) => { this.within = value; }),
      numberField("stay s", this.stay, { min: 0, max: 3600, step: 1, id: "direct-stay" }, (value) => { this.stay = value; }),
    ];
  }

  told(): Record<string, number> {
    const { app } = this, now = (app.live.now?.frame ?? 0) / (app.scene?.["frame-rate"] ?? 30);
    return { ...(this.within > 0 ? { by: Math.round((now + this.within) * 1000) / 1000 } : {}), stay: this.stay };
  }
}

/** A person and its ghost. */
export class Ghost {
  id = -1;
  at: Point | null = null;
  /** Radians; none leaves it free. */
  facing: number | null = null;
  pose = "";
  private readonly times: Times;
  private turns = false;
  private about = make("b", {}, "press on a person and drag");

  constructor(private readonly app: App) { this.times = new Times(app); }

  press(event: PointerEvent, at: Point) {
    const { app } = this, near = (point: Point) => Math.hypot(point[0] - at[0], point[1] - at[1]) < NEAR;
    if (this.at && this.id >= 0) {
      const facing = this.facing ?? 0;
      this.turns = near([this.at[0] + Math.cos(facing) * TIP, this.at[1] + Math.sin(facing) * TIP]);
      if (this.turns || near(this.at)) return;
    }
    const id = app.pick(event);
    if (id >= 0) [this.id, this.turns, this.facing] = [id, false, null];
    if (this.id < 0) { app.say("press on the person that is to be directed", true); return; }
    this.drag(at);
  }

  drag(at: Point) {
    if (this.id < 0) return;
    if (this.turns && this.at) this.facing = Math.atan2(at[1] - this.at[1], at[0] - this.at[0]);
    else this.at = at;
    this.show();
  }

  show() {
    this.app.drawing.showGhost(this.id >= 0 ? this.at : null, this.facing ?? 0);
    const turn = this.facing === null ? "any way round" : `facing ${((this.facing * 180) / Math.PI).toFixed(0)}°`;
    this.about.textContent = this.id < 0 || !this.at ? "press on a person and drag" : `person ${this.id} to ${toScene(this.app, this.at).map((value) => value.toFixed(1)).join(", ")} m, ${turn}`;
  }

  hide() {
    [this.id, this.at, this.facing] = [-1, null, null];
    this.app.drawing.showGhost(null, 0);
  }

  fields(): HTMLElement[] {
    this.show();
    const poses = (this.app.scene?.poses ?? []).map((pose): [string, string] => [pose, pose]);
    return [
      this.about, choiceField("pose", [["", "standing"], ...poses], this.pose, (value) => { this.pose = value; }), ...this.times.fields(),
      make("button", { id: "direct-go", class: "main", click: () => { void this.go(); } }, "Direct"),
    ];
  }

  private async go() {
    const { app, id, at } = this;
    if (id < 0 || !at) { app.say("press on a person first, and drag its ghost", true); return; }
    const direct: Record<string, unknown> = { at: toScene(app, at), ...this.times.told() };
    if (this.facing !== null) direct.facing = Math.round((this.facing * 180) / Math.PI);
    if (this.pose) direct.pose = this.pose;
    if (await app.enact({ numbers: [id], direct }) !== null) return;
    this.hide();
    app.choose(id);
  }
}

/** Shapes that those who are selected form. */
export class Shapes {
  form = "fill";
  word = "HI";
  size = 4;
  private readonly times: Times;

  constructor(private readonly app: App) { this.times = new Times(app); this.times.stay = 20; }

  get closed() { return this.form === "fill"; }

  fields(again: () => void): HTMLElement[] {
    const text = make("input", { id: "form-word", value: this.word, maxlength: 20, input: () => { this.word = text.value.toUpperCase(); } });
    return [
      choiceField("shape", FORMS, this.form, (value) => { this.form = value; again(); }),
      ...(this.form === "word" ? [make("label", { class: "field" }, "word", text), numberField("width of a letter m", this.size, { min: 0.5, max: 50, step: 0.5 }, (value) => { this.size = value; })] : []),
      ...this.times.fields(), make("b", {}, `${this.app.selection.size} selected`),
    ];
  }

  async make(stroke: Point[]) {
    const { app } = this, numbers = [...app.selection];
    if (numbers.length === 0) { app.say("select those who are to form it first", true); return; }
    const drawn = simplify(stroke, 0.05).map((point) => toScene(app, point));
    if (this.form === "fill" && (drawn.length < 3 || crossesItself(drawn))) { app.say("draw around an area without crossing the line", true); return; }
    const shape = this.form === "word" ? { word: { text: this.word, at: drawn[0], size: this.size } } : { [this.form]: drawn };
    await app.enact({ numbers, direct: { ...shape, ...this.times.told() } });
  }
}
