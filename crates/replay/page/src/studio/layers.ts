// Copying layers: a situation with its region, put down elsewhere.
import { type App, toScene } from "./app";
import type { Point } from "./form";

type Table = Record<string, unknown>;

/** Fields of situations and regions that are places, or lists of them. */
const PLACES = new Set(["at", "spots", "way", "polygon", "entrance", "exit", "look-at"]);

export class Layers {
  /** What was copied: its tables, and the middle of its region in metres of the scene. */
  copied: { situation: Table; region: Table | null; middle: Point } | null = null;

  constructor(private readonly app: App) {}

  async copy(name: string) {
    const { app } = this, answer = await app.ask({ kind: "table", of: "situation", name });
    if (answer.came !== "table") { app.say(`“${name}” cannot be copied`, true); return; }
    const place = answer.table.region;
    const found = typeof place === "string" ? await app.ask({ kind: "table", of: "region", name: place }) : null;
    const region = found?.came === "table" ? found.table : null;
    const points = app.state?.regions.find((each) => each.name === place)?.areas.flat(2) ?? [];
    const middle = points.length > 0 ? toScene(app, points.reduce(([x, y], [px, py]) => [x + px / points.length, y + py / points.length], [0, 0] as Point)) : [0, 0] as Point;
    if (typeof place === "string" && !region) { app.say(`the ground of “${name}” is no drawn region`, true); return; }
    this.copied = { situation: answer.table, region, middle };
    app.say(`“${name}” is copied: tool “Paste” puts it down where you click`);
  }

  async paste(at: Point) {
    const { app, copied } = this;
    if (!copied) { app.say("copy a layer first (tab Layers)", true); return; }
    const [x, y] = toScene(app, at), by: Point = [x - copied.middle[0], y - copied.middle[1]];
    const taken = new Set([...(app.state?.situations ?? []).map((each) => each.name), ...(app.state?.regions ?? []).map((each) => each.name)]);
    const fresh = (name: string) => { let number = 2; while (taken.has(`${name} ${number}`)) number++; return `${name} ${number}`; };
    const name = fresh(String(copied.situation.name));
    const region = copied.region && { ...moved(copied.region, by), name };
    await app.enact({ ...(region ? { region } : {}), "set-situation": { ...moved(copied.situation, by), name, ...(region ? { region: name } : {}) } });
  }
}

/** A table whose places are elsewhere. */
function moved(table: Table, [dx, dy]: Point): Table {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const shift = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    // A point, perhaps with an angle after it.
    if (typeof value[0] === "number" && typeof value[1] === "number") return [round(value[0] + dx), round(value[1] + dy), ...value.slice(2)];
    return value.map(shift);
  };
  return Object.fromEntries(Object.entries(table).map(([key, value]) => {
    if (key === "rectangle" && Array.isArray(value)) return [key, value.map((own: number, index) => round(own + (index % 2 === 0 ? dx : dy)))];
    if (key === "circle" && Array.isArray(value)) return [key, [round(Number(value[0]) + dx), round(Number(value[1]) + dy), value[2]]];
    return [key, PLACES.has(key) ? shift(value) : value];
  }));
}
