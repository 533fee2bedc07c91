// The brush that changes people: what it does, to whom under it, by which operator and how strongly.
import type { App } from "./app";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";

const BRUSHES: [string, string][] = [["looks", "other clothes for everybody"], ["clothes", "the clothes of the chosen person"], ["colour", "clothes of a colour"], ["size", "size"], ["speed", "speed"], ["orient", "turn"], ["style", "style of motion"], ["mover", "mover"], ["mood", "join a group (mood, behaviour)"], ["calm", "leave a group"], ["lock", "lock"], ["unlock", "unlock"], ["leave", "delete"]];
const OPERATORS: [string, string][] = [["uniform", "the same for all"], ["random", "by chance between two"], ["gradient", "from one to the other along the stroke"]];
/** Numbers that a brush gives: the first, the other, their bounds and unit. */
const NUMBERS: Record<string, { field: string; title: string; bounds: { min: number; max: number; step: number }; values: [number, number] }> = {
  speed: { field: "speed", title: "m/s", bounds: { min: 0.1, max: 8, step: 0.1 }, values: [1.3, 2] },
  orient: { field: "facing", title: "degrees", bounds: { min: -360, max: 360, step: 15 }, values: [0, 180] },
  size: { field: "size", title: "times", bounds: { min: 0.3, max: 3, step: 0.05 }, values: [1.2, 0.7] },
};
/** As many have clothes of a colour: one of them is taken by chance. */
const ALIKE = 8;
/** Metres within which a brush of the size of a point takes the nearest person. */
const POINT = 0.7;

export class Brush {
  what = "looks";
  operator = "uniform";
  point = false;
  mover = "graph";
  style = "plain";
  group = "";
  /** The part of those under the brush who are changed. */
  strength = 1;
  /** Colours of clothes: the first and the other. */
  colours: [string, string] = ["#c83030", "#3050c8"];
  private readonly numbers = structuredClone(NUMBERS);

  constructor(private readonly app: App) {}

  get movers(): [string, string][] {
    return (this.app.schema?.$defs.Mover.oneOf ?? []).map((each) => each.const).filter((each) => !["planned", "recorded"].includes(each)).map((each): [string, string] => [each, each === "graph" ? "clips" : each]);
  }

  fields(radius: HTMLElement, again: () => void): HTMLElement[] {
    const { app, what } = this, number = this.numbers[what], fields: HTMLElement[] = [];
    if (!this.point) fields.push(radius);
    fields.push(choiceField("what", BRUSHES, what, (value) => { this.what = value; again(); }));
    if (number) fields.push(numberField(number.title, number.values[0], { ...number.bounds, id: "brush-value" }, (value) => { number.values[0] = value; }));
    const colour = (index: 0 | 1) => { const input = make("input", { type: "color", id: `brush-colour-${index + 1}`, value: this.colours[index], input: () => { this.colours[index] = input.value; } }); return make("label", { class: "field" }, index === 0 ? "colour" : "to colour", input); };
    if (what === "colour") fields.push(colour(0), choiceField("operator", OPERATORS, this.operator, (value) => { this.operator = value; again(); }));
    if (what === "colour" && this.operator !== "uniform") fields.push(colour(1));
    if (number || ["style", "mover"].includes(what)) fields.push(choiceField("operator", number ? OPERATORS : OPERATORS.slice(0, 2).map(([key, title]): [string, string] => [key, key === "random" ? "by chance" : title]), this.operator, (value) => { this.operator = value; again(); }));
    if (number && this.operator !== "uniform") fields.push(numberField(`to ${number.title}`, number.values[1], { ...number.bounds, id: "brush-other" }, (value) => { number.values[1] = value; }));
    if (what === "mover" && this.operator === "uniform") fields.push(choiceField("mover", this.movers, this.mover, (value) => { this.mover = value; }));
    if (what === "style" && this.operator === "uniform") fields.push(choiceField("style", (app.scene?.styles ?? []).map((style): [string, string] => [style, style]), this.style, (value) => { this.style = value; }));
    if (["mood", "calm"].includes(what)) fields.push(choiceField("group", [["", "…"], ...(app.state?.situations ?? []).filter((each) => each.members).map((each): [string, string] => [each.name, each.name])], this.group, (value) => { this.group = value; }));
    fields.push(numberField("strength %", this.strength * 100, { min: 1, max: 100, step: 1, id: "brush-strength" }, (value) => { this.strength = value / 100; }));
    fields.push(choiceField("whom", [["area", "all under it"], ["point", "the nearest one"]], this.point ? "point" : "area", (value) => { this.point = value === "point"; again(); }));
    return fields;
  }

  /** Those under it. */
  under(at: Point, radius: number): number[] {
    const { shown } = this.app.live, away = (slot: number) => Math.hypot(shown.place[slot * 4] - at[0], shown.place[slot * 4 + 1] - at[1]);
    const slots = Array.from({ length: shown.count }, (_, slot) => slot).filter((slot) => away(slot) < (this.point ? POINT : radius));
    if (this.point) slots.sort((a, b) => away(a) - away(b)).splice(1);
    return slots.map((slot) => shown.id[slot]);
  }

  async paint(touched: number[]) {
    const { app, what } = this, number = this.numbers[what];
    const people = touched.filter((id) => (this.strength >= 1 || Math.random() < this.strength) && !(app.locked.has(id) && what !== "unlock"));
    if (people.length === 0) { if (touched.length > 0) app.say("nobody of them is changed"); return; }
    if (number) await app.enact({ numbers: people, [number.field]: this.values(people.length, number.values) });
    else if (what === "lock" || what === "unlock") await app.ask({ kind: "lock", people, on: what === "lock" });
    else if (what === "looks") await reshuffle(app, people);
    else if (what === "clothes") {
      if (app.chosen < 0) { app.say("choose the person with the clothes first (tool 1)", true); return; }
      await app.enact({ numbers: people, looks: app.live.looks.get(app.chosen) ?? app.chosen });
    } else if (what === "colour") await app.enact({ numbers: people, looks: this.dressed(people.length) });
    else if (what === "leave") await app.enact({ numbers: people, leave: true });
    else if (what === "mood" || what === "calm") {
      if (!this.group) { app.say("choose a group; a situation without a place has members", true); return; }
      await app.enact({ numbers: people, [what === "mood" ? "joins" : "parts"]: this.group });
    } else await this.give(people, what as "style" | "mover");
  }

  /** A style or a mover for all, or for each one by chance. */
  private async give(people: number[], what: "style" | "mover") {
    const { app } = this;
    if (this.operator !== "random") { await app.enact({ numbers: people, [what]: this[what] }); return; }
    const all = what === "style" ? app.scene?.styles ?? [] : this.movers.map(([name]) => name), given = new Map<string, number[]>();
    for (const id of people) {
      const one = all[Math.floor(Math.random() * all.length)];
      given.set(one, [...(given.get(one) ?? []), id]);
    }
    let made = false;
    for (const [one, numbers] of given) if (await app.enact({ numbers, [what]: one }, made) === null) made = true;
  }

  /** How far from the first value to the other each one is, in the order of the stroke. */
  private parts(count: number): number[] {
    return Array.from({ length: count }, (_, index) => this.operator === "uniform" ? 0 : this.operator === "random" ? Math.random() : count > 1 ? index / (count - 1) : 0);
  }

  /** A value for all, or one for each in the order of the stroke. */
  private values(count: number, [first, last]: [number, number]): number | number[] {
    if (this.operator === "uniform") return first;
    return this.parts(count).map((part) => Math.round((first + (last - first) * part) * 100) / 100);
  }

  /** Looks in a colour for each. */
  private dressed(count: number): number[] {
    const [first, last] = this.colours.map((own) => [1, 3, 5].map((at) => parseInt(own.slice(at, at + 2), 16)));
    return this.parts(count).map((part) => {
      const mixed = first.map((value, channel) => value + (last[channel] - value) * part) as [number, number, number];
      return this.app.wardrobe.dressedIn(mixed, ALIKE)[Math.floor(Math.random() * ALIKE)];
    });
  }
}

/** Other looks for people, as they come. */
export async function reshuffle(app: App, people: number[]) {
  const free = people.filter((id) => !app.locked.has(id));
  if (free.length === 0) { app.say("all of them are locked", true); return; }
  await app.enact({ numbers: free, reshuffle: Math.floor(Math.random() * 1_000_000) });
}
