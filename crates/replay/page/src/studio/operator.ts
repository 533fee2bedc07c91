// How a brush spreads what it gives along its stroke, and how strongly: shared by all brushes.
import { choiceField, numberField } from "./make";

export type Operator = "uniform" | "random" | "gradient";

/** What operators do with values, and with deeds that have none. */
export const OF_VALUES: [Operator, string][] = [["uniform", "the same for all"], ["random", "by chance between two"], ["gradient", "from one to the other along the stroke"]];
export const OF_WORDS: [Operator, string][] = [["uniform", "the same for all"], ["random", "any of them by chance"], ["gradient", "from one to the other along the stroke"]];
export const OF_DEEDS: [Operator, string][] = [["uniform", "evenly"], ["random", "by chance"], ["gradient", "more or fewer along the stroke"]];

/** How far from the first value to the other each of some is, in the order of the stroke. */
export function parts(operator: Operator, count: number): number[] {
  return Array.from({ length: count }, (_, index) => operator === "uniform" ? 0 : operator === "random" ? Math.random() : count > 1 ? index / (count - 1) : 0);
}

export const between = (first: number, other: number, part: number) => first + (other - first) * part;

/** Those of some who are changed, in the order of the stroke: `share` of them, at each part of it. */
export function taken<T>(all: T[], byChance: boolean, share: (part: number) => number): T[] {
  let owed = 0;
  return all.filter((_, index) => {
    const own = share(all.length > 1 ? index / (all.length - 1) : 0);
    if (byChance) return Math.random() < own;
    owed += own;
    // A hundredth has no exact half.
    if (owed < 1 - 1e-9) return false;
    owed -= 1;
    return true;
  });
}

/** Operator, strength and whom: what every brush has. */
export class Manner {
  operator: Operator = "uniform";
  /** The part of those under the brush who are changed, at the beginning of the stroke and at its end. */
  strength: [number, number] = [1, 0.1];
  /** Whether it takes the nearest one, and not all under it. */
  point = false;

  constructor(private readonly area = "all under it", private readonly spot = "the nearest one") {}

  operatorField(choices: [Operator, string][], again: () => void): HTMLElement {
    return choiceField("operator", choices, this.operator, (value) => { this.operator = value as Operator; again(); }, "brush-operator");
  }

  /** Fields of strength, both ends of it where it changes along the stroke, and of whom. */
  fields(again: () => void, changes = false): HTMLElement[] {
    const strength = (end: 0 | 1) => numberField(end === 0 ? "strength %" : "to strength %", Math.round(this.strength[end] * 100), { min: end === 0 ? 1 : 0, max: 100, step: 1, id: end === 0 ? "brush-strength" : "brush-weak" }, (value) => { this.strength[end] = Math.min(1, Math.max(0, value / 100)); });
    return [
      strength(0), ...(changes && this.operator === "gradient" ? [strength(1)] : []),
      choiceField("whom", [["area", this.area], ["point", this.spot]], this.point ? "point" : "area", (value) => { this.point = value === "point"; again(); }, "brush-whom"),
    ];
  }

  /** The strength at a part of the stroke. */
  strengthAt(part: number, changes: boolean): number {
    return changes && this.operator === "gradient" ? between(...this.strength, part) : this.strength[0];
  }
}
