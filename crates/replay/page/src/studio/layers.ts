// Layers: their order, and copies of one of them or of all that is in an area, put down elsewhere.
import { type App, toScene } from "./app";
import { inside, rectangle } from "./drawing";
import type { Point } from "./form";
import { choiceField, make } from "./make";
import { cannotTurn, movedBy, placed, type Placing, type Table } from "./placing";
import type { SituationState } from "./protocol/SituationState";

/** What was copied: tables of situations with their regions, of stops with theirs, and obstacles. */
interface Copied {
  name: string;
  situations: { situation: Table; region: Table | null }[];
  stops: { stop: Table; region: Table | null }[];
  obstacles: { name: string; outline: Point[] }[];
  /** In metres of the scene. */
  middle: Point;
}

export class Layers {
  copied: Copied | null = null;
  /** Whether the tool takes an area, and does not put one down. */
  takes = true;

  constructor(private readonly app: App) {}

  fields(again: () => void): HTMLElement[] {
    const { copied } = this;
    return [
      choiceField("what", [["take", "take all layers of an area"], ["put", "put copies down"]], this.takes ? "take" : "put", (value) => { this.takes = value === "take"; again(); }),
      make("b", { id: "copied" }, copied ? `copied: ${copied.name}` : "nothing is copied yet"),
    ];
  }

  async release(first: Point, last: Point) {
    if (this.takes && Math.hypot(first[0] - last[0], first[1] - last[1]) > 0.5) await this.take(rectangle(first, last));
    else await this.paste(last);
  }

  /** Situations from the one that has its way to the one that has it last. */
  static ordered(situations: SituationState[]): SituationState[] {
    return situations.map((each, number) => ({ each, number })).sort((a, b) => b.each.priority - a.each.priority || a.number - b.number).map(({ each }) => each);
  }

  /** Puts a layer one place higher or lower: where layers disagree, the highest has its way. */
  async shift(name: string, up: boolean) {
    const { app } = this, order = Layers.ordered(app.state?.situations ?? []), at = order.findIndex((each) => each.name === name);
    const [higher, lower] = up ? [order[at], order[at - 1]] : [order[at + 1], order[at]];
    if (!higher || !lower) return;
    // The one that goes up gets more than the other, and who was above keeps above.
    const others = order.filter((each) => each !== higher && each !== lower), above = others.filter((each) => order.indexOf(each) < Math.min(order.indexOf(higher), order.indexOf(lower)));
    const wanted = new Map<string, number>([[higher.name, lower.priority + 1]]);
    let least = lower.priority + 1;
    for (const each of above.reverse()) {
      if (each.priority > least) break;
      wanted.set(each.name, ++least);
    }
    let joined = false;
    for (const [own, priority] of wanted) {
      const answer = await app.ask({ kind: "table", of: "situation", name: own });
      if (answer.came !== "table") { app.say(`“${own}” stands in no table: its order cannot be changed`, true); return; }
      if (await app.enact({ "set-situation": { ...answer.table, priority } }, joined) !== null) return;
      joined = true;
    }
  }

  private async table(of: string, name: unknown): Promise<Table | null> {
    if (typeof name !== "string") return null;
    const answer = await this.app.ask({ kind: "table", of, name });
    return answer.came === "table" ? answer.table : null;
  }

  /** Copies one layer. */
  async copy(name: string) {
    const { app } = this, situation = await this.table("situation", name);
    if (!situation) { app.say(`“${name}” cannot be copied`, true); return; }
    const region = await this.table("region", situation.region);
    if (typeof situation.region === "string" && !region) { app.say(`the ground of “${name}” is no drawn region`, true); return; }
    const points = (app.state?.regions.find((each) => each.name === situation.region)?.areas.flat(2) ?? []) as Point[];
    this.copied = { name: `“${name}”`, situations: [{ situation, region }], stops: [], obstacles: [], middle: middleOf(app, points) };
    this.takes = false;
    app.say(`“${name}” is copied: click where the copy goes`);
  }

  /** Copies all that lies within an outline: a city block at once. */
  private async take(outline: Point[]) {
    const { app } = this, { state } = app;
    if (!state) return;
    const within = (points: Point[]) => points.length > 0 && points.every((point) => inside(point, outline));
    const regions = new Set(state.regions.filter((each) => within(each.areas.flat(2) as Point[])).map((each) => each.name));
    const copied: Copied = { name: "", situations: [], stops: [], obstacles: [], middle: middleOf(app, outline) };
    for (const each of state.situations) {
      const place = each.region === null ? null : state.regions[each.region].name;
      if (!each.on || place === null || !regions.has(place)) continue;
      const situation = await this.table("situation", each.name), region = await this.table("region", place);
      if (situation && region && !copied.situations.some((own) => own.situation.name === situation.name)) copied.situations.push({ situation, region });
    }
    for (const [number, name] of state.stops.entries()) {
      const at = state.scenario[number]?.at;
      if (!at || state.scenario[number].closed || !inside(at as Point, outline)) continue;
      const stop = await this.table("stop", name), region = stop && await this.table("region", stop.region);
      if (stop && region) copied.stops.push({ stop, region });
    }
    for (const each of state.obstacles) if (each.there && each.outlines.length === 1 && within(each.outlines[0] as Point[])) copied.obstacles.push({ name: each.name, outline: (each.outlines[0] as Point[]).map((point) => toScene(app, point)) });
    const count = copied.situations.length + copied.stops.length + copied.obstacles.length;
    if (count === 0) { app.say("no layer lies wholly in there", true); return; }
    copied.name = count === 1 ? "one layer" : `${count} layers`;
    this.copied = copied;
    this.takes = false;
    app.say(`${copied.name} are copied: click where the middle of the copies goes`);
  }

  /** Puts a region elsewhere with all that happens in it, by what it is called. */
  async replace(name: string, placing: Placing) {
    const { app } = this, { state } = app, region = await this.table("region", name);
    if (!state || !region) { app.say(`“${name}” belongs to the plan: it stays where it is`, true); return; }
    const own = state.situations.filter((each) => each.on && each.region !== null && state.regions[each.region].name === name);
    const situations = (await Promise.all(own.map((each) => this.table("situation", each.name)))).filter((table): table is Table => table !== null);
    const why = placing.turn === 0 ? null : [region, ...situations].map(cannotTurn).find((each) => each !== null);
    if (why) { app.say(why, true); return; }
    const changed = situations.map((table) => ({ "set-situation": placed(table, placing) })).filter((event, index) => JSON.stringify(event["set-situation"]) !== JSON.stringify(situations[index]));
    const events: Table[] = [{ region: placed(region, placing), ...(changed[0] ?? {}) }, ...changed.slice(1)];
    for (const [index, event] of events.entries()) if (await app.enact(event, index > 0) !== null) return;
  }

  /** Takes all that happens in a region out of force. */
  async remove(name: string) {
    const { app } = this, { state } = app;
    if (!state) return;
    const situations = state.situations.filter((each) => each.on && each.region !== null && state.regions[each.region].name === name).map((each): Table => ({ situation: each.name, on: false }));
    const tables = await Promise.all(state.stops.map((stop) => this.table("stop", stop)));
    const stops = tables.flatMap((table, number): Table[] => table?.region === name && !state.scenario[number].closed ? [{ "close-stop": state.stops[number] }] : []);
    for (const [index, event] of [...situations, ...stops].entries()) if (await app.enact(event, index > 0) !== null) return;
  }

  async paste(at: Point) {
    const { app, copied } = this;
    if (!copied) { app.say("copy a layer first: drag over an area, or press Copy in tab Layers", true); return; }
    const [x, y] = toScene(app, at), by: Point = [x - copied.middle[0], y - copied.middle[1]], there = movedBy(by), state = app.state;
    const taken = new Set([...(state?.situations ?? []), ...(state?.regions ?? []), ...(state?.obstacles ?? [])].map((each) => each.name).concat(state?.stops ?? []));
    const fresh = (name: string) => { let number = 2; while (taken.has(`${name} ${number}`)) number++; taken.add(`${name} ${number}`); return `${name} ${number}`; };
    const events: Table[] = [], names = new Map<string, string>();
    for (const { stop } of copied.stops) names.set(String(stop.name), fresh(String(stop.name)));
    for (const { situation, region } of copied.situations) {
      const name = fresh(String(situation.name));
      events.push({ ...(region ? { region: { ...placed(region, there), name } } : {}), "set-situation": { ...placed(situation, there), name, ...(region ? { region: name } : {}) } });
    }
    for (const { stop, region } of copied.stops) {
      const name = names.get(String(stop.name))!, next = Object.entries((stop.next as Record<string, number> | undefined) ?? {}).map(([to, share]) => [names.get(to) ?? to, share]);
      events.push({ region: { ...placed(region!, there), name }, stop: { ...stop, name, region: name, ...(next.length > 0 ? { next: Object.fromEntries(next) } : {}) } });
    }
    for (const { name, outline } of copied.obstacles) events.push({ obstacle: { name: fresh(name), polygon: outline.map(([px, py]) => [px + by[0], py + by[1]]) } });
    let joined = false;
    for (const event of events) if (await app.enact(event, joined) === null) joined = true;
  }
}

/** The middle of points, in metres of the scene. */
function middleOf(app: App, points: Point[]): Point {
  if (points.length === 0) return [0, 0];
  return toScene(app, points.reduce(([x, y], [px, py]) => [x + px / points.length, y + py / points.length], [0, 0] as Point));
}
