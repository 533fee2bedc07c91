// The brush that changes people: what it does, to whom under it, by which operator and how strongly.
import type { App } from "./app";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";
import { between, Manner, OF_DEEDS, OF_VALUES, OF_WORDS, parts, taken } from "./operator";

const BRUSHES: [string, string][] = [["looks", "other clothes for everybody"], ["clothes", "the clothes of the chosen person"], ["outfit", "outfit"], ["colour", "clothes of a colour"], ["size", "size"], ["speed", "speed"], ["orient", "turn"], ["style", "style of motion"], ["mover", "mover"], ["mood", "join a group (mood, behaviour)"], ["calm", "leave a group"], ["lock", "lock"], ["unlock", "unlock"], ["leave", "delete"]];
/** Numbers that a brush gives: the field of the event, the first and the other, their bounds and unit. */
const NUMBERS: Record<string, { field: string; title: string; bounds: { min: number; max: number; step: number }; values: [number, number] }> = {
  speed: { field: "speed", title: "m/s", bounds: { min: 0.1, max: 8, step: 0.1 }, values: [1.3, 2] },
  orient: { field: "facing", title: "degrees", bounds: { min: -360, max: 360, step: 15 }, values: [0, 180] },
  size: { field: "size", title: "times", bounds: { min: 0.3, max: 3, step: 0.05 }, values: [1.2, 0.7] },
};
/** Words that a brush gives: the field of the event, and all words that there are. */
const WORDS: Record<string, { field: string; title: string; all: (brush: Brush) => [string, string][] }> = {
  outfit: { field: "outfit", title: "outfit", all: ({ app }) => named(app.scene?.outfits) },
  style: { field: "style", title: "style", all: ({ app }) => named(app.scene?.styles) },
  mover: { field: "mover", title: "mover", all: (brush) => brush.movers },
  mood: { field: "joins", title: "group", all: ({ app }) => groups(app) },
  calm: { field: "parts", title: "group", all: ({ app }) => groups(app) },
};
/** As many have clothes of a colour: one of them is taken by chance. */
const ALIKE = 8;
/** Metres within which a brush of the size of a point takes the nearest person. */
const POINT = 0.7;

const named = (names: string[] | undefined) => (names ?? []).map((name): [string, string] => [name, name]);
const groups = (app: App) => named(app.state?.situations.filter((each) => each.members).map((each) => each.name));

export class Brush {
  what = "looks";
  readonly manner = new Manner();
  /** Colours of clothes: the first and the other. */
  colours: [string, string] = ["#c83030", "#3050c8"];
  private readonly numbers = structuredClone(NUMBERS);
  /** The first and the other word of each kind. */
  private readonly words: Record<string, [string, string]> = {};

  constructor(readonly app: App) {}

  get point() { return this.manner.point; }

  get movers(): [string, string][] {
    return (this.app.schema?.$defs.Mover.oneOf ?? []).map((each) => each.const).filter((each) => !["planned", "recorded"].includes(each)).map((each): [string, string] => [each, each === "graph" ? "clips" : each]);
  }

  /** The words that are given, as far as there are any. */
  private wordsOf(what: string): [string, string] {
    const all = WORDS[what].all(this).map(([word]) => word), known = this.words[what] ?? ["", ""];
    return this.words[what] = known.map((word, index) => all.includes(word) ? word : all[index] ?? all[0] ?? "") as [string, string];
  }

  fields(radius: HTMLElement, again: () => void): HTMLElement[] {
    const { what, manner } = this, number = this.numbers[what], words = WORDS[what], uniform = manner.operator === "uniform", gradient = manner.operator === "gradient";
    const fields: HTMLElement[] = this.point ? [] : [radius];
    fields.push(choiceField("what", BRUSHES, what, (value) => { this.what = value; again(); }, "brush-what"));
    const value = (index: 0 | 1) => numberField(index === 0 ? number.title : `to ${number.title}`, number.values[index], { ...number.bounds, id: index === 0 ? "brush-value" : "brush-other" }, (own) => { number.values[index] = own; });
    const colour = (index: 0 | 1) => { const input = make("input", { type: "color", id: `brush-colour-${index + 1}`, value: this.colours[index], input: () => { this.colours[index] = input.value; } }); return make("label", { class: "field" }, index === 0 ? "colour" : "to colour", input); };
    const word = (index: 0 | 1) => { const chosen = this.wordsOf(what); return choiceField(index === 0 ? words.title : `to ${words.title}`, words.all(this), chosen[index], (own) => { chosen[index] = own; }, `brush-word-${index + 1}`); };
    if (number) fields.push(value(0), manner.operatorField(OF_VALUES, again), ...(uniform ? [] : [value(1)]));
    else if (what === "colour") fields.push(colour(0), manner.operatorField(OF_VALUES, again), ...(uniform ? [] : [colour(1)]));
    else if (words) fields.push(...(manner.operator === "random" ? [] : [word(0)]), manner.operatorField(OF_WORDS, again), ...(gradient ? [word(1)] : []));
    else fields.push(manner.operatorField(OF_DEEDS, again));
    return [...fields, ...manner.fields(again, this.isDeed)];
  }

  /** Whether it gives no value: its operator is about its strength then. */
  private get isDeed() { return !this.numbers[this.what] && !WORDS[this.what] && this.what !== "colour"; }

  /** Those under it. */
  under(at: Point, radius: number): number[] {
    const { shown } = this.app.live, away = (slot: number) => Math.hypot(shown.place[slot * 4] - at[0], shown.place[slot * 4 + 1] - at[1]);
    const slots = Array.from({ length: shown.count }, (_, slot) => slot).filter((slot) => away(slot) < (this.point ? POINT : radius));
    if (this.point) slots.sort((a, b) => away(a) - away(b)).splice(1);
    return slots.map((slot) => shown.id[slot]);
  }

  async paint(touched: number[]) {
    const { app, what, manner, isDeed } = this, number = this.numbers[what];
    const free = touched.filter((id) => !(app.locked.has(id) && what !== "unlock"));
    const people = taken(free, isDeed && manner.operator === "random", (part) => manner.strengthAt(part, isDeed));
    if (people.length === 0) { if (touched.length > 0) app.say("nobody of them is changed"); return; }
    if (number) await app.enact({ numbers: people, [number.field]: this.values(people.length, number.values) });
    else if (WORDS[what]) await this.give(people);
    else if (what === "lock" || what === "unlock") await app.ask({ kind: "lock", people, on: what === "lock" });
    else if (what === "looks") await reshuffle(app, people);
    else if (what === "clothes") {
      if (app.chosen < 0) { app.say("choose the person with the clothes first (tool 1)", true); return; }
      await app.enact({ numbers: people, looks: app.live.looks.get(app.chosen) ?? app.chosen });
    } else if (what === "colour") await app.enact({ numbers: people, looks: this.dressed(people.length) });
    else await app.enact({ numbers: people, leave: true });
  }

  /** A word for all, for each one by chance, or more and more of the other along the stroke: one event for each word. */
  private async give(people: number[]) {
    const { app, what } = this, { field, title, all } = WORDS[what], words = all(this).map(([word]) => word), [first, other] = this.wordsOf(what), given = new Map<string, number[]>();
    if (words.length === 0) { app.say(title === "group" ? "there is no group yet: select people and press “Group …”" : `there is no ${title} to give`, true); return; }
    parts(this.manner.operator, people.length).forEach((part, index) => {
      const one = this.manner.operator === "random" ? words[Math.floor(part * words.length)] : Math.random() < part ? other : first;
      given.set(one, [...(given.get(one) ?? []), people[index]]);
    });
    let made = false;
    for (const [one, numbers] of given) if (await app.enact({ numbers, [field]: one }, made) === null) made = true;
  }

  /** A value for all, or one for each in the order of the stroke. */
  private values(count: number, [first, other]: [number, number]): number | number[] {
    if (this.manner.operator === "uniform") return first;
    return parts(this.manner.operator, count).map((part) => Math.round(between(first, other, part) * 100) / 100);
  }

  /** Looks in a colour for each. */
  private dressed(count: number): number[] {
    const [first, other] = this.colours.map((own) => [1, 3, 5].map((at) => parseInt(own.slice(at, at + 2), 16)));
    return parts(this.manner.operator, count).map((part) => {
      const mixed = first.map((value, channel) => between(value, other[channel], part)) as [number, number, number];
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
