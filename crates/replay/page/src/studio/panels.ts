// The side panel: layers, people, plots, and the scene's text.
import { escape } from "../colours";
import { category, ramp, RAMP_CSS } from "../looks";
import type { CrowdView } from "../crowd";
import * as THREE from "three";
import { type App } from "./app";
import { situationForm } from "./form";
import { choiceField, find, make, numberField } from "./make";
import type { Mistake } from "./protocol/Mistake";
import type { State } from "./protocol/State";
import type { Text } from "./protocol/Text";
import { reshuffle } from "./tools";

export const COLOURS = ["clothes", "speed", "mover", "situation", "waiting time"] as const;
export type Colour = (typeof COLOURS)[number];

/** Metres a second, and seconds, at the bright end. */
const FASTEST = 2, LONGEST = 20;

/** Colours everybody and says what colours mean. */
export class Paint {
  mode: Colour = "clothes";
  private readonly dressed: Float64Array;

  constructor(private readonly app: App, capacity: number) { this.dressed = new Float64Array(capacity).fill(-1); }

  apply(view: CrowdView) {
    const { app } = this, { shown, now } = app.live;
    if (!now) return;
    for (let slot = 0; slot < shown.count; slot++) {
      const looks = shown.looks![slot];
      if (this.dressed[slot] !== looks) { view.dress(slot, looks); this.dressed[slot] = looks; }
      let colour: THREE.Color | null = null;
      if (this.mode === "speed") colour = ramp(shown.speed[slot] / FASTEST);
      else if (this.mode === "waiting time") colour = ramp(now.waiting(slot) / LONGEST);
      else if (this.mode === "mover") colour = known(category(now.state(slot) >> 4));
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
    if (this.mode === "speed" || this.mode === "waiting time") {
      const end = this.mode === "speed" ? `${FASTEST} m/s` : `${LONGEST} s`;
      return `<div class="ramp" style="background:${RAMP_CSS}"></div><div class="ends"><span>0</span><span>${end}</span></div>`;
    }
    const counts = new Map<number, number>();
    for (let slot = 0; slot < now.count; slot++) {
      const own = this.mode === "mover" ? now.state(slot) >> 4 : now.situation(slot) - 1;
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    const name = (own: number) => this.mode === "mover" ? app.scene?.movers[own] : own < 0 ? "none" : app.state?.situations[own]?.name;
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

/** Two curves over time: how many, and how fast. */
export class Plots {
  private points: [frame: number, people: number, speed: number][] = [];
  readonly canvas = make("canvas", { width: 560, height: 200, class: "plot", "aria-label": "People and mean speed over time" });

  add(frame: number, people: number, speed: number) {
    while (this.points.length > 0 && this.points.at(-1)![0] >= frame) this.points.pop();
    this.points.push([frame, people, speed]);
    if (this.points.length > 2400) this.points = this.points.filter((_, index) => index % 2 === 0);
  }

  get last() { return this.points.at(-1) ?? null; }

  draw(ink: string) {
    const context = this.canvas.getContext("2d")!;
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    if (this.points.length < 2) return;
    const first = this.points[0][0], span = Math.max(1, this.points.at(-1)![0] - first);
    context.font = "22px system-ui, sans-serif";
    const curve = (value: (point: [number, number, number]) => number, colour: string, top: number, title: string) => {
      const most = Math.max(1e-6, ...this.points.map(value)) * 1.1, tall = height / 2 - 34;
      context.strokeStyle = colour;
      context.lineWidth = 3;
      context.beginPath();
      this.points.forEach((point, index) => {
        const x = ((point[0] - first) / span) * width, y = top + 30 + tall * (1 - value(point) / most);
        if (index === 0) context.moveTo(x, y); else context.lineTo(x, y);
      });
      context.stroke();
      context.fillStyle = ink;
      context.fillText(title, 4, top + 22);
    };
    const [, people, speed] = this.points.at(-1)!;
    curve((point) => point[1], "#0072b2", 0, `${people} people`);
    curve((point) => point[2], "#e69f00", height / 2, `${speed.toFixed(2)} m/s on average`);
  }
}

/** The side panel. */
export class Panels {
  readonly plots = new Plots();
  private tab = "layers";
  private readonly pages: Record<string, HTMLElement>;
  private readonly person = make("div", { id: "person" });
  private readonly selected = make("div", { id: "selected" });
  private readonly layers = make("div", { id: "layers" });
  private readonly legend = make("div", { id: "legend" });
  private readonly text: TextPanel;
  private form: HTMLElement | null = null;
  readonly hidden = new Set<string>();

  constructor(private readonly app: App, private readonly setColour: (colour: Colour) => void, private readonly look: (region: number) => void, private readonly showChanged: () => void) {
    this.text = new TextPanel(app);
    this.pages = {
      layers: make("div", {}, this.layers),
      people: make("div", {}, choiceField("colour", COLOURS.map((each): [string, string] => [each, each]), "clothes", (value) => this.setColour(value as Colour)), this.legend, this.plots.canvas, this.selected, this.person),
      text: this.text.element,
    };
    const tabs = find("#tabs");
    for (const [name, title] of [["layers", "Layers"], ["people", "People"], ["text", "Text"]]) {
      tabs.append(make("button", { id: `tab-${name}`, role: "tab", click: () => this.open(name) }, title));
    }
    tabs.append(make("button", { id: "fold", title: "Fold the panel", click: () => find("#side").classList.toggle("folded") }, "⇥"));
    this.open("layers");
  }

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
    const situations = state.situations.map((situation) => {
      const region = situation.region === null ? null : state.regions[situation.region];
      const about = region ? ` in ${region.name}` : situation.members ? " of members" : "";
      const join = situation.members && app.selection.size > 0 ? [button("Join", false, () => { void app.enact({ numbers: [...app.selection], joins: situation.name }); }, "Those who are selected become members")] : [];
      return entry(situation.name, about, ...join,
        ...(region ? [button("◎", false, () => this.look(situation.region!), "Look there")] : []),
        button(situation.on ? "on" : "off", situation.on, () => { void app.enact({ situation: situation.name, on: !situation.on }); }, "In force or not"));
    });
    const regions = state.regions.filter((region) => region.areas.length > 0).map((region) => {
      const shown = !this.hidden.has(region.name);
      return entry(region.name, "", button(shown ? "shown" : "hidden", shown, () => { if (shown) this.hidden.add(region.name); else this.hidden.delete(region.name); this.takeState(state); this.showChanged(); }, "Show or hide"));
    });
    const obstacles = state.obstacles.map((obstacle) => entry(obstacle.name, obstacle.coming ? " is about to come" : obstacle.there ? "" : " is open",
      button(obstacle.there ? "Open" : "Close", false, () => { void app.enact(obstacle.there ? { open: obstacle.name } : { close: obstacle.name }); })));
    const signals = state.signals.map((signal) => entry(signal.name, "",
      ...([["on", true], ["off", false], ["timer", null]] as const).map(([title, on]) => button(title, signal["by-hand"] === on, () => { void app.enact(on === null ? { signal: signal.name } : { signal: signal.name, on }); }))));
    const part = (title: string, entries: HTMLElement[], none: string) => make("details", { open: true }, make("summary", {}, `${title} (${entries.length})`), ...(entries.length > 0 ? entries.slice(0, 200) : [make("p", { class: "quiet" }, none)]));
    this.layers.replaceChildren(
      part("Situations", situations, "none yet: paint a place, and say what happens there"),
      part("Walls and doors", obstacles, "none that come and go: draw a wall"),
      part("Signals", signals, "none"),
      part("Regions", regions, "none"),
    );
    this.showSelected();
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
          app.showForm(situationForm(app.schema, app.state, null, async (event) => {
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
    if (app.chosen < 0) { this.person.replaceChildren(); app.drawing.showWay(null, [], null); return; }
    const number = app.chosen;
    const answer = await app.ask({ kind: "person", number });
    if (app.chosen !== number) return;
    if (answer.came !== "person") {
      this.person.replaceChildren(make("p", { class: "quiet" }, `Person ${number} is not there.`));
      app.drawing.showWay(null, [], null);
      return;
    }
    const slot = app.live.now?.find(number) ?? -1;
    const from = slot >= 0 ? [app.live.shown.place[slot * 4], app.live.shown.place[slot * 4 + 1]] as [number, number] : null;
    app.drawing.showWay(from, answer.way, answer.goal);
    const clip = slot >= 0 ? app.scene?.clips[app.live.shown.clip[slot]] : null;
    const rows: [string, string][] = [["wants", answer.wants], ["stands because it", answer.stands ?? "does not stand"], ["in", answer.situations.join("; ") || "no situation"],
      ["mover", answer.mover], ["shows", clip ?? "?"], ["likes", `${answer.likes.toFixed(2)} m/s`], ["goals reached", String(answer.reached)]];
    this.person.replaceChildren(
      make("h2", {}, answer.name ? `${answer.name} (${number})` : `Person ${number}`),
      make("dl", {}, ...rows.flatMap(([title, value]) => [make("dt", {}, title), make("dd", {}, value)])),
      make("div", { class: "row" },
        make("button", { id: "follow", "aria-pressed": app.following, click: () => { app.following = !app.following; } }, "Follow (F)"),
        make("button", { click: () => { void app.ask({ kind: "lock", people: [number], on: !answer.locked }); } }, answer.locked ? "Unlock" : "Lock"),
        make("button", { click: () => app.select([number]) }, "Select"),
        make("button", { click: () => { void app.enact({ numbers: [number], leave: true }); } }, "Delete")),
    );
  }
}

/** The scene's text with marks where something is wrong. */
class TextPanel {
  readonly element: HTMLElement;
  private readonly area = make("textarea", { id: "text", spellcheck: "false", wrap: "off", "aria-label": "The scene's text" });
  private readonly gutter = make("div", { id: "gutter" });
  private readonly problems = make("ul", { id: "problems" });
  private readonly run = make("button", { id: "run-text", class: "main", disabled: true }, "Run this text");
  private told = "";
  private timer = 0;

  constructor(private readonly app: App) {
    const name = make("input", { id: "file-name", placeholder: "name.toml", "aria-label": "File name" });
    const seconds = make("input", { type: "number", value: 60, min: 1, max: 3600, "aria-label": "Seconds" });
    this.element = make("div", { class: "text-panel" },
      make("div", { class: "row" }, this.run, make("button", { click: () => this.put(this.told) }, "As it runs"), name,
        make("button", { id: "save-as", click: async () => this.say(await app.ask({ kind: "save-as", name: name.value || "scene.toml" })) }, "Save as")),
      make("div", { class: "row" }, make("span", { class: "quiet" }, "Take away:"), seconds, " s ",
        make("button", { id: "take-away", click: async () => { app.say("the scene runs into a folder …"); this.say(await app.ask({ kind: "take-away", name: `${app.scene?.name ?? "scene"}-run`, seconds: seconds.valueAsNumber })); } }, "Record run, replay and report")),
      make("div", { class: "editor" }, this.gutter, this.area), this.problems);
    this.area.addEventListener("scroll", () => { this.gutter.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("keydown", (event) => event.stopPropagation());
    name.addEventListener("keydown", (event) => event.stopPropagation());
    this.run.addEventListener("click", async () => {
      const answer = await app.ask({ kind: "text", text: this.area.value });
      this.say(answer);
      if (answer.came === "refused") this.mark(answer.problems);
    });
  }

  private say(answer: { came: string; why?: string; said?: string | null }) {
    if (answer.came === "refused") this.app.say(answer.why ?? "refused", true);
    else if (answer.said) this.app.say(answer.said);
  }

  /** The server's text: it replaces what nobody has changed here. */
  take({ text, problems }: Text) {
    const own = this.area.value !== this.told;
    this.told = text;
    if (own && this.area.value !== text) { this.app.say("the scene has changed; the text here is yours: “As it runs” shows the new one"); this.run.disabled = false; return; }
    this.put(text);
    this.mark(problems);
  }

  private put(text: string) {
    const { scrollTop } = this.area;
    this.area.value = text;
    this.area.scrollTop = scrollTop;
    this.run.disabled = text === this.told;
    this.mark([]);
  }

  private typed() {
    this.run.disabled = this.area.value === this.told;
    this.number();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(async () => {
      const answer = await this.app.ask({ kind: "check", text: this.area.value });
      if (answer.came === "checked") this.mark(answer.problems);
    }, 500);
  }

  private wrong = new Map<number, Mistake>();
  private mark(problems: Mistake[]) {
    this.wrong = new Map(problems.filter((each) => each.line !== null).map((each) => [each.line!, each]));
    this.problems.replaceChildren(...problems.slice(0, 50).map((each) => make("li", { class: each.harmless ? "harmless" : "wrong", click: () => this.goTo(each.line ?? 1) }, `${each.line ? `line ${each.line}: ` : ""}${each.what}${each.fix ? ` (${each.fix})` : ""}`)));
    this.number();
  }

  private number() {
    const lines = this.area.value.split("\n").length;
    const rows: HTMLElement[] = [];
    for (let line = 1; line <= lines; line++) {
      const wrong = this.wrong.get(line);
      rows.push(make("div", wrong ? { class: wrong.harmless ? "harmless" : "wrong", title: wrong.what } : {}, String(line)));
    }
    this.gutter.replaceChildren(...rows);
    this.gutter.scrollTop = this.area.scrollTop;
  }

  private goTo(line: number) {
    const start = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start);
    this.area.scrollTop = Math.max(0, (line - 6) * 18);
  }
}
