// The brush that lets people come: evenly, by chance, or denser and thinner along the stroke.
import { type App, toScene } from "./app";
import type { Brush } from "./brush";
import type { Point } from "./form";
import { choiceField, numberField } from "./make";
import { Manner, type Operator } from "./operator";

const OPERATORS: [Operator, string][] = [["random", "by chance"], ["uniform", "evenly, in rows"], ["gradient", "denser or thinner along the stroke"]];
/** Metres between people who come as densely as they can. */
const APART = 0.62;
/** People come this often, in milliseconds, while the brush is down; as many at once at most. */
const PUFF = 120, MOST = 200;
/** Tries for each place that is looked for by chance. */
const TRIES = 12;

const away = ([x, y]: Point, [px, py]: Point) => Math.hypot(x - px, y - py);

export class Spray {
  readonly manner = new Manner("an area", "one after the other");
  /** People of each puff. */
  amount = 6;
  speed = 1.3;
  mover = "graph";
  to = "";
  private puffed = 0;
  private busy = false;

  constructor(private readonly app: App, private readonly brush: Brush) { this.manner.operator = "random"; }

  get point() { return this.manner.point; }

  /** Whether people come when the stroke is done: only then it is known where its end is. */
  get waits() { return this.manner.operator === "gradient" && !this.point; }

  fields(radius: HTMLElement, again: () => void): HTMLElement[] {
    const { app, manner, point } = this;
    return [
      ...(point ? [] : [radius, manner.operatorField(OPERATORS, again)]),
      ...(manner.operator === "random" && !point ? [numberField("people a puff", this.amount, { min: 1, max: MOST, step: 1, id: "spray-amount" }, (value) => { this.amount = value; })] : []),
      ...manner.fields(again, true),
      choiceField("mover", this.brush.movers, this.mover, (value) => { this.mover = value; }),
      numberField("speed m/s", this.speed, { min: 0.1, max: 8, step: 0.1 }, (value) => { this.speed = value; }),
      choiceField("go to", [["", "wander"], ...(app.state?.stops ?? []).map((stop): [string, string] => [stop, stop])], this.to, (value) => { this.to = value; }),
    ];
  }

  /** Metres between people at a part of the stroke: as strong as it is, so many are on a square metre. */
  private apart(part: number): number { return APART / Math.sqrt(Math.max(0.01, this.manner.strengthAt(part, true))); }

  /** While the brush is down at a point: a puff of people at free spots under it. */
  async puff(at: Point, radius: number) {
    const now = performance.now(), { operator } = this.manner;
    if (this.busy || now - this.puffed < PUFF) return;
    this.puffed = now;
    const apart = this.apart(0), near = this.near(at, radius + apart);
    const wanted = this.point ? [at] : operator === "uniform" ? rows(at, radius, apart) : byChance(at, radius, this.amount * TRIES);
    await this.come(fitting(near, wanted, () => apart, operator === "random" ? this.amount : MOST));
  }

  /** The brush is let go of: what changes along the stroke comes now. */
  async release(stroke: Point[], radius: number) {
    if (!this.waits) return;
    const lengths = stroke.map((point, index) => index === 0 ? 0 : away(point, stroke[index - 1])), whole = lengths.reduce((sum, own) => sum + own, 0);
    const near = stroke.flatMap((point) => this.near(point, radius + APART)), wanted: { place: Point; part: number }[] = [];
    let passed = 0;
    stroke.forEach((point, index) => {
      passed += lengths[index];
      const part = whole > 0 ? passed / whole : 0, count = Math.ceil((Math.max(0.2, lengths[index]) * radius * TRIES) / APART);
      for (const place of byChance(point, radius, count)) wanted.push({ place, part });
    });
    const partOf = new Map(wanted.map(({ place, part }) => [place, part]));
    const places = fitting(near, wanted.map(({ place }) => place), (place) => this.apart(partOf.get(place)!), Infinity);
    let made = false;
    for (let first = 0; first < places.length; first += MOST) if (await this.come(places.slice(first, first + MOST), made)) made = true;
  }

  /** Where people are within some metres of a point. */
  private near(at: Point, reach: number): Point[] {
    const { shown } = this.app.live, all: Point[] = [];
    for (let slot = 0; slot < shown.count; slot++) {
      const place: Point = [shown.place[slot * 4], shown.place[slot * 4 + 1]];
      if (away(place, at) < reach) all.push(place);
    }
    return all;
  }

  private async come(places: Point[], joined = false): Promise<boolean> {
    if (places.length === 0) return false;
    const { app } = this, people: Record<string, unknown> = { at: places.map((place) => toScene(app, place)), speed: this.speed, mover: this.mover };
    if (this.to) people.to = this.to;
    this.busy = true;
    const why = await app.enact({ people }, joined);
    this.busy = false;
    return why === null;
  }
}

/** Places in a circle by chance. */
function byChance([x, y]: Point, radius: number, count: number): Point[] {
  return Array.from({ length: count }, () => {
    const angle = Math.random() * 2 * Math.PI, far = radius * Math.sqrt(Math.random());
    return [x + Math.cos(angle) * far, y + Math.sin(angle) * far];
  });
}

/** Places in a circle in rows, every other shifted by half: the same rows for every stroke. */
function rows(at: Point, radius: number, apart: number): Point[] {
  // Rows are as far from each other as three neighbours are apart; a little more is free of rounding.
  const own = apart * 1.02, high = own * Math.sqrt(0.75), places: Point[] = [];
  for (let row = Math.ceil((at[1] - radius) / high); row * high <= at[1] + radius; row++) {
    const shift = row % 2 === 0 ? 0 : 0.5;
    for (let column = Math.ceil((at[0] - radius) / own - shift); (column + shift) * own <= at[0] + radius; column++) {
      const place: Point = [(column + shift) * own, row * high];
      if (away(place, at) <= radius) places.push(place);
    }
  }
  return places;
}

/** Those of the places that are far enough from others and each other. */
function fitting(near: Point[], wanted: Point[], apart: (place: Point) => number, most: number): Point[] {
  const places: Point[] = [];
  for (const place of wanted) {
    if (places.length >= most) break;
    const own = apart(place);
    const far = (other: Point) => away(other, place) > own;
    if (near.every(far) && places.every(far)) places.push(place);
  }
  return places;
}
