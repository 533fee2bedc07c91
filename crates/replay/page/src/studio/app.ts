// What all parts of the studio share.
import type { Wardrobe } from "../bodies";
import type { Cast } from "./cast";
import type { Layers } from "./layers";
import type { Live } from "./live";
import type { Measures } from "./measures";
import type { Drawing } from "./drawing";
import type { Point, Schema } from "./form";
import type { Answer } from "./protocol/Answer";
import type { Ask } from "./protocol/Ask";
import type { Scene } from "./protocol/Scene";
import type { State } from "./protocol/State";

export type Tool = "look" | "select" | "people" | "brush" | "goal" | "region" | "wall" | "direct" | "form" | "lane" | "line" | "stops" | "seats" | "vehicle" | "paste" | "scale";

export interface App {
  scene: Scene | null;
  state: State | null;
  schema: Schema | null;
  /** Everybody's bodies and clothes. */
  wardrobe: Wardrobe;
  /** What everybody looks like. */
  cast: Cast;
  live: Live;
  drawing: Drawing;
  measures: Measures;
  layers: Layers;
  selection: Set<number>;
  locked: Set<number>;
  chosen: number;
  following: boolean;
  tool: Tool;
  ask(ask: Ask): Promise<Answer>;
  /** Lets an event happen and says what came of it; returns why not, or null. What is joined is taken back with the one before. */
  enact(event: Record<string, unknown>, joined?: boolean): Promise<string | null>;
  say(text: string, wrong?: boolean): void;
  choose(id: number): void;
  select(ids: Iterable<number>): void;
  /** The point of the ground under the pointer, in metres of the ground. */
  ground(event: PointerEvent): Point | null;
  /** The number of the person under the pointer, or -1. */
  pick(event: PointerEvent): number;
  setTool(tool: Tool): void;
  showForm(form: HTMLElement | null): void;
  /** Does something with a picture that is drawn as finely as can be. */
  finely(then: () => Promise<void>): Promise<void>;
}

/** Points of the ground in metres of the scene, to the millimetre. */
export function toScene(app: App, [x, y]: Point): Point {
  const [ox, oy] = app.scene?.origin ?? [0, 0];
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return [round(x + ox), round(y + oy)];
}
