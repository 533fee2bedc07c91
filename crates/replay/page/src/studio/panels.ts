// The side panel: layers, people, plots, and the scene's text.
import { escape } from "../colours";
import { category, ramp, RAMP_CSS } from "../looks";
import type { CrowdView } from "../crowd";
import * as THREE from "three";
import { type App } from "./app";
import { situationForm } from "./form";
import { choiceField, find, make, numberField } from "./make";
import type { State } from "./protocol/State";
import type { Text } from "./protocol/Text";
import { TextPanel } from "./text";
import { reshuffle } from "./brush";
import { Layers } from "./layers";
import { Weights } from "./weights";

export const COLOURS = ["clothes", "speed", "density", "situation", "mover", "style", "waiting time"] as const;
export type Colour = (typeof COLOURS)[number];

/** Metres a second, seconds, and people a square metre, at the bright end. */
const FASTEST = 2, LONGEST = 20, DENSEST = 3;

/** Colours everybody and says what colours mean. */
export class Paint {
  mode: Colour = "clothes";
  private readonly dressed: Float64Array;

  constructor(private readonly app: App, capacity: number) { this.dressed = new Float64Array(capacity).fill(-1); }

  apply(view: CrowdView) {
    const { app } = this, { shown, now } = app.live;
    if (!now) return;
    for (let slot = 0; slot < shown.count; slot++) {
      const person = app.cast.personOf(shown.id[slot]);
      if (this.dressed[slot] !== person) { view.dressAs(slot, person); this.dressed[slot] = person; }
      let colour: THREE.Color | null = null;
      if (this.mode === "speed") colour = ramp(shown.speed[slot] / FASTEST);
      else if (this.mode === "waiting time") colour = ramp(now.waiting(slot) / LONGEST);
      else if (this.mode === "density") colour = ramp((app.measures.density[slot] ?? 0) / DENSEST);
      else if (this.mode === "mover") colour = known(category(now.state(slot) >> 4));
      else if (this.mode === "style") colour = known(category(now.style(slot)));
      else if (this.mode === "situation") colour = now.situation(slot) > 0 ? known(category(now.situation(slot) - 1)) : known("#9aa0a8");
      let strength = colour ? 235 : 0;
      if (shown.id[slot] === app.chosen) [colour, strength] = [known("#ff4f6d"), 190];
      view.tint[slot * 4] = (colour?.r ?? 0) * 255;
      view.tint[slot * 4 + 1] = (colour?.g ?? 0) * 255;
      view.tint[slot * 4 + 2] = (colour?.b ?? 0) * 255;
      view.tint[slot * 4 + 3] = strength;
    }
  }

  legend(): string {
    const { app } = this, { now } = app.live;
    if (!now || this.mode === "clothes") return "";
    if (this.mode === "speed" || this.mode === "waiting time" || this.mode === "density") {
      const end = { speed: `${FASTEST} m/s`, "waiting time": `${LONGEST} s`, density: `${DENSEST} /m²` }[this.mode];
      return `<div class="ramp" style="background:${RAMP_CSS}"></div><div class="ends"><span>0</span><span>${end}</span></div>`;
    }
    const counts = new Map<number, number>();
    for (let slot = 0; slot < now.count; slot++) {
      const own = this.mode === "mover" ? now.state(slot) >> 4 : this.mode === "style" ? now.style(slot) : now.situation(slot) - 1;
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    const name = (own: number) => this.mode === "mover" ? app.scene?.movers[own] : this.mode === "style" ? app.scene?.["shown-styles"][own] : own < 0 ? "none" : app.state?.situations[own]?.name;
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([own, count]) =>
      `<div class="key"><i style="background:${own < 0 ? "#9aa0a8" : category(own)}"></i>${escape(name(own) ?? "?")}<b>${count}</b></div>`).join("");
  }
}

const colours = new Map<string, THREE.Color>();
function known(css: string): THREE.Color {
  let own = colours.get(css);
  if (!own) colours.set(css, own = new THREE.Color(css));
  return own;
}

/** Curves over time, one below the other: how many, how fast, how dense, and the flow through each line. */
export class Plots {
  private points: { frame: number; values: number[] }[] = [];
  readonly canvas = make("canvas", { width: 560, height: 300, class: "plot", "aria-label": "People, mean speed, density and flows over time" });

  add(frame: number, values: number[]) {
    while (this.points.length > 0 && this.points.at(-1)!.frame >= frame) this.points.pop();
    this.points.push({ frame, values });
    if (this.points.length > 2400) this.points = this.points.filter((_, index) => index % 2 === 0);
  }

  get last() { return this.points.at(-1) ?? null; }

  draw(ink: string) {
    const last = this.points.at(-1), context = this.canvas.getContext("2d")!;
    if (!last) return;
    const titles = [`${last.values[0]} people`, `${last.values[1].toFixed(2)} m/s on average`, `${last.values[2].toFixed(2)} /m² about people`, ...last.values.slice(3).map((flow, index) => `${flow.toFixed(2)} /s through line ${index + 1}`)];
    const tall = 100;
    if (this.canvas.height !== tall * titles.length) this.canvas.height = tall * titles.length;
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    if (this.points.length < 2) return;
    const first = this.points[0].frame, span = Math.max(1, last.frame - first);
    context.font = "22px system-ui, sans-serif";
    titles.forEach((title, curve) => {
      const top = curve * tall, value = (point: { values: number[] }) => point.values[curve] ?? 0;
      const most = Math.max(1e-6, ...this.points.map(value)) * 1.1;
      context.strokeStyle = CURVES[curve % CURVES.length];
      context.lineWidth = 3;
      context.beginPath();
      this.points.forEach((point, index) => {
        const x = ((point.frame - first) / span) * width, y = top + 30 + (tall - 34) * (1 - value(point) / most);
        if (index === 0) context.moveTo(x, y); else context.lineTo(x, y);
      });
      context.stroke();
      context.fillStyle = ink;
      context.fillText(title, 4, top + 22);
    });
  }
}

const CURVES = ["#0072b2", "#e69f00", "#d55e00", "#00795c"];

/** The side panel. */
export class Panels {
  readonly plots = new Plots();
  private tab = "layers";
  private readonly pages: Record<string, HTMLElement>;
  private readonly person = make("div", { id: "person" });
  private readonly about = make("div");
  private readonly deeds = make("div", { class: "row" });
  private readonly weights = new Weights();
  /** Whom the buttons are about. */
  private deedsOf = "";
  private readonly selected = make("div", { id: "selected" });
  private readonly layers = make("div", { id: "layers" });
  private readonly legend = make("div", { id: "legend" });
  readonly text: TextPanel;
  private form: HTMLElement | null = null;
  readonly hidden = new Set<string>();

  constructor(private readonly app: App, private readonly setColour: (colour: Colour) => void, private readonly look: (region: number) => void, private readonly showChanged: () => void) {
    this.text = new TextPanel(app);
    this.pages = {
      layers: make("div", {}, this.layers),
      people: make("div", {}, choiceField("colour", COLOURS.map((each): [string, string] => [each, each]), "clothes", (value) => this.setColour(value as Colour)), this.legend, this.plots.canvas,
        make("div", { class: "row" }, make("button", { id: "select-all", click: () => app.select(this.everybody) }, "Select all"), make("button", { id: "reshuffle-others", title: "Other clothes for all who are not locked", click: () => { void reshuffle(app, this.everybody); } }, "Reshuffle all but the locked")),
        this.selected, this.person),
      text: this.text.element,
    };
    const tabs = find("#tabs");
    for (const [name, title] of [["layers", "Layers"], ["people", "People"], ["text", "Text"]]) {
      tabs.append(make("button", { id: `tab-${name}`, role: "tab", click: () => this.open(name) }, title));
    }
    tabs.append(make("button", { id: "fold", title: "Fold the panel", click: () => find("#side").classList.toggle("folded") }, "⇥"));
    this.open("layers");
  }

  private get everybody(): number[] { const { shown } = this.app.live; return [...shown.id.subarray(0, shown.count)]; }

  open(name: string) {
    this.tab = name;
    this.form = null;
    find("#side").classList.remove("folded");
    find("#side").classList.toggle("wide", name === "text");
    for (const each of Object.keys(this.pages)) find(`#tab-${each}`).setAttribute("aria-pressed", String(each === name));
    find("#pages").replaceChildren(this.pages[name]);
  }

  showForm(form: HTMLElement | null) {
    this.form = form;
    find("#side").classList.remove("folded");
    if (form) find("#pages").replaceChildren(form); else this.open(this.tab);
  }

  takeText(text: Text) { this.text.take(text); }

  /** Places and switches have changed. */
  takeState(state: State) {
    const { app } = this;
    const button = (title: string, on: boolean, click: () => void, about = "") => make("button", { "aria-pressed": on, title: about, click }, title);
    const entry = (name: string, about: string, ...parts: HTMLElement[]) => make("div", { class: "layer" }, make("span", { title: name }, name, make("small", {}, about)), ...parts);
    const situations = Layers.ordered(state.situations).map((situation, place, all) => {
      const region = situation.region === null ? null : state.regions[situation.region];
      const about = region ? ` in ${region.name}` : situation.members ? " of members" : "";
      const join = situation.members && app.selection.size > 0 ? [button("Join", false, () => { void app.enact({ numbers: [...app.selection], joins: situation.name }); }, "Those who are selected become members")] : [];
      return entry(situation.name, about, ...join,
        ...(place > 0 ? [button("▲", false, () => { void app.layers.shift(situation.name, true); }, "Higher: where layers disagree, the higher one has its way")] : []),
        ...(place < all.length - 1 ? [button("▼", false, () => { void app.layers.shift(situation.name, false); }, "Lower")] : []),
        ...(region ? [button("◎", false, () => this.look(situation.region!), "Look there")] : []),
        button("Copy", false, () => { void app.layers.copy(situation.name).then(() => { if (app.layers.copied) app.setTool("paste"); }); }, "Copy; then click where it goes"),
        button(situation.on ? "on" : "off", situation.on, () => { void app.enact({ situation: situation.name, on: !situation.on }); }, "In force or not"));
    });
    const regions = state.regions.filter((region) => region.areas.length > 0).map((region) => {
      const shown = !this.hidden.has(region.name);
      return entry(region.name, "", button(shown ? "shown" : "hidden", shown, () => { if (shown) this.hidden.add(region.name); else this.hidden.delete(region.name); this.takeState(state); this.showChanged(); }, "Show or hide"));
    });
    const obstacles = state.obstacles.map((obstacle) => entry(obstacle.name, obstacle.coming ? " is about to come" : obstacle.there ? "" : obstacle.name.startsWith("door") ? " is open" : " is away",
      button(obstacle.there ? "Open" : "Close", false, () => { void app.enact(obstacle.there ? { open: obstacle.name } : { close: obstacle.name }); })));
    const signals = state.signals.map((signal) => entry(signal.name, "",
      ...([["on", true], ["off", false], ["timer", null]] as const).map(([title, on]) => button(title, signal["by-hand"] === on, () => { void app.enact(on === null ? { signal: signal.name } : { signal: signal.name, on }); }))));
    const newSignal = make("div", { class: "layer" }, make("button", { id: "new-signal", click: () => this.addSignal() }, "New signal …"));
    const part = (title: string, entries: HTMLElement[], none: string) => make("details", { open: true }, make("summary", {}, `${title} (${entries.length})`), ...(entries.length > 0 ? entries.slice(0, 200) : [make("p", { class: "quiet" }, none)]));
    this.layers.replaceChildren(
      part("Situations", situations, "none yet: paint a place, and say what happens there"),
      part("Walls and doors", obstacles, "none that come and go: draw a wall"),
      part("Signals", signals, "none yet"), newSignal,
      part("Regions", regions, "none"),
    );
    this.showSelected();
  }

  /** A form for one more signal. */
  private addSignal() {
    const { app } = this, taken = new Set((app.state?.signals ?? []).map((each) => each.name));
    let number = 1, on = 12, off = 18;
    while (taken.has(`signal ${number}`)) number++;
    const name = make("input", { value: `signal ${number}`, maxlength: 60 });
    app.showForm(make("form", { class: "form", submit: (event: Event) => {
      event.preventDefault();
      void app.enact({ "set-signal": { name: name.value, on, off } }).then((why) => { if (why === null) app.showForm(null); });
    } }, make("h2", {}, "A signal"), make("label", { class: "field" }, "name", name),
      numberField("seconds on", on, { min: 0, step: 1 }, (value) => { on = value; }), numberField("seconds off", off, { min: 0, step: 1 }, (value) => { off = value; }),
      make("div", { class: "row" }, make("button", { type: "submit", class: "main" }, "Make it"), make("button", { type: "button", click: () => app.showForm(null) }, "Cancel"))));
  }

  /** What can be done with those who are selected. */
  showSelected() {
    const { app } = this, ids = [...app.selection];
    if (ids.length === 0) { this.selected.replaceChildren(); return; }
    const button = (title: string, click: () => void) => make("button", { click }, title);
    let speed = 1.3;
    const movers = (app.schema?.$defs.Mover.oneOf ?? []).map((each) => each.const).filter((each) => !["planned", "recorded"].includes(each));
    const styles = app.scene?.styles ?? [];
    const choose = (title: string, options: string[], then: (value: string) => void) => choiceField(title, [["", "…"], ...options.map((each): [string, string] => [each, each])], "", (value) => { if (value) then(value); });
    this.selected.replaceChildren(
      make("h2", {}, `${ids.length} selected`),
      make("div", { class: "row" },
        button("Delete", () => { void app.enact({ numbers: ids, leave: true }).then((why) => { if (!why) app.select([]); }); }),
        button("Lock", () => { void app.ask({ kind: "lock", people: ids, on: true }); }),
        button("Unlock", () => { void app.ask({ kind: "lock", people: ids, on: false }); }),
        button("Reshuffle looks", () => { void reshuffle(app, ids); }),
        button("Send …", () => app.setTool("goal")),
        button("Group …", () => {
          if (!app.schema || !app.state) return;
          app.showForm(situationForm(app.schema, app.state, [], null, async (event) => {
            const why = await app.enact(event);
            const name = (event["set-situation"] as { name: string }).name;
            if (why === null) { await app.enact({ numbers: ids, joins: name }); app.showForm(null); }
            return why;
          }, () => app.showForm(null)));
        })),
      make("div", { class: "row" }, numberField("speed", speed, { min: 0.1, max: 8, step: 0.1 }, (value) => { speed = value; }), button("Set", () => { void app.enact({ numbers: ids, speed }); })),
      choose("mover", movers, (mover) => { void app.enact({ numbers: ids, mover }); }),
      choose("style", styles, (style) => { void app.enact({ numbers: ids, style }); }),
      ...(app.state && app.state.stops.length > 0 ? [choose("stop", app.state.stops, (to) => { void app.enact({ numbers: ids, to }); })] : []),
    );
  }

  /** A few times a second. */
  async refresh(legend: string, ink: string) {
    this.legend.innerHTML = legend;
    if (this.tab === "people" && !this.form) this.plots.draw(ink);
    const { app } = this;
    if (app.chosen < 0) { this.person.replaceChildren(); app.drawing.showWay(null, [], null); app.drawing.showPlan([]); return; }
    const number = app.chosen;
    const answer = await app.ask({ kind: "person", number });
    if (app.chosen !== number) return;
    if (answer.came !== "person") {
      this.person.replaceChildren(make("p", { class: "quiet" }, `Person ${number} is not there.`));
      app.drawing.showWay(null, [], null);
      app.drawing.showPlan([]);
      return;
    }
    const slot = app.live.now?.find(number) ?? -1;
    const from = slot >= 0 ? [app.live.shown.place[slot * 4], app.live.shown.place[slot * 4 + 1]] as [number, number] : null;
    app.drawing.showWay(from, answer.plan.length > 0 ? [] : answer.way, answer.goal);
    app.drawing.showPlan(answer.plan as [number, number, number][]);
    const clip = slot >= 0 ? app.scene?.clips[app.live.shown.clip[slot]] : null;
    const rows: [string, string][] = [["wants", answer.wants], ["stands because it", answer.stands ?? "does not stand"], ["in", answer.situations.join("; ") || "no situation"],
      ["mover", answer.mover], ...(answer.directed ? [["directed", answer.directed] as [string, string]] : []), ["shows", clip ?? "?"], ["likes", `${answer.likes.toFixed(2)} m/s`], ["goals reached", String(answer.reached)]];
    // What one may be about to press stays where it is.
    if (this.about.parentElement !== this.person) this.person.replaceChildren(this.about, this.deeds, this.weights.element);
    this.about.replaceChildren(make("h2", {}, answer.name ? `${answer.name} (${number})` : `Person ${number}`),
      make("dl", {}, ...rows.flatMap(([title, value]) => [make("dt", {}, title), make("dd", {}, value)])));
    const key = `${number} ${answer.locked} ${app.following}`;
    if (this.deedsOf !== key) {
      this.deedsOf = key;
      this.deeds.replaceChildren(
        make("button", { id: "follow", "aria-pressed": app.following, click: () => { app.following = !app.following; } }, "Follow (F)"),
        make("button", { click: () => { void app.ask({ kind: "lock", people: [number], on: !answer.locked }); } }, answer.locked ? "Unlock" : "Lock"),
        make("button", { click: () => app.select([number]) }, "Select"),
        make("button", { click: () => { void app.enact({ numbers: [number], leave: true }); } }, "Delete"));
    }
    this.weights.show(answer.decision, app.live.now?.frame ?? 0);
  }
}
