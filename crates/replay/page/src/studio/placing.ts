// Tables of a scene put elsewhere: all that is a place in them is moved and turned.
import type { Point } from "./form";

export type Table = Record<string, unknown>;

/** Fields of situations and regions that are places, or lists of them. */
const PLACES = new Set(["at", "spots", "way", "polygon", "entrance", "exit", "look-at"]);

/** Where things go: turned about a point by so many radians, then moved. */
export interface Placing { about: Point; turn: number; by: Point }

export const movedBy = (by: Point): Placing => ({ about: [0, 0], turn: 0, by });

export function placedAt([x, y]: Point, { about: [cx, cy], turn, by: [dx, dy] }: Placing): Point {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [cx + (x - cx) * c - (y - cy) * s + dx, cy + (x - cx) * s + (y - cy) * c + dy];
}

/** Why a table cannot be turned; null where it can. */
export function cannotTurn(table: Table): string | null {
  return table.painted ? "what is painted as a bitmap cannot be turned" : table.rows || table.repeat || table.block ? "copies in rows and columns cannot be turned" : null;
}

/** A table whose places are elsewhere. */
export function placed(table: Table, placing: Placing): Table {
  const round = (value: number) => Math.round(value * 1000) / 1000, at = (point: Point) => placedAt(point, placing).map(round);
  const shift = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    // A point, perhaps with an angle in degrees after it.
    if (typeof value[0] === "number" && typeof value[1] === "number") return [...at([value[0], value[1]]), ...value.slice(2).map((own: number) => round(own + (placing.turn * 180) / Math.PI))];
    return value.map(shift);
  };
  return Object.fromEntries(Object.entries(table).map(([key, value]): [string, unknown] => {
    if (key === "painted") return [key, placed(value as Table, placing)];
    if (key === "rectangle" && Array.isArray(value)) {
      const [x0, y0, x1, y1] = value as number[], corners: Point[] = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
      return placing.turn === 0 ? [key, [...at(corners[0]), ...at(corners[2])]] : ["polygon", corners.map(at)];
    }
    if (key === "circle" && Array.isArray(value)) return [key, [...at([Number(value[0]), Number(value[1])]), value[2]]];
    return [key, PLACES.has(key) ? shift(value) : value];
  }));
}
