// A situation as a form: its fields, their kinds and what they mean come from the scene file's JSON Schema.
import { choiceField, make, numberField } from "./make";
import type { State } from "./protocol/State";

interface Property { description?: string; type?: string | string[]; minItems?: number; maxItems?: number; default?: unknown; $ref?: string; items?: Property; anyOf?: unknown[] }
export interface Schema { $defs: { Situation: { properties: Record<string, Property> }; Kind: { oneOf: { const: string; description: string }[] }; Mover: { oneOf: { const: string; description: string }[] } } }
export type Point = [number, number];

/** Fields that the drawing gives, or that only text can hold well. */
const ELSEWHERE = ["name", "kind", "region", "sensor", "memory", "rules", "rows", "actions", "on", "removes", "show"];
/** Kinds that need a vehicle, of which `bus` is in the vehicle and has no place of its own. */
const OF_VEHICLES = ["bus-stop", "bus"];
/** Kinds that only members are in; they have no region. */
export const FOR_MEMBERS = ["close", "friends", "talk", "group"];

const has = (property: Property, type: string) => [property.type].flat().includes(type);

/** Whether a field is for a kind: descriptions name kinds in brackets, or none. */
function isFor(description: string, kind: string): boolean {
  const brackets = [...description.matchAll(/\(([^)]*)\)/g)].map((match) => match[1]).join(", ");
  const kinds = brackets.split(/[,;:]\s*|\s+and\s+/).map((each) => each.trim());
  return brackets === "" || kinds.includes(kind);
}

/** What a drawn region suggests for a kind. */
function suggestion(kind: string, outline: Point[], state: State): Record<string, unknown> {
  const xs = outline.map(([x]) => x), ys = outline.map(([, y]) => y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [x, y, width, height] = [(left + right) / 2, (low + high) / 2, right - left, high - low];
  const along = width >= height;
  const row = (count: number, apart: number, heading: number) => {
    const fits = Math.max(1, Math.min(count, Math.floor(Math.max(width, height) / apart)));
    return Array.from({ length: fits }, (_, index) => {
      const off = (index - (fits - 1) / 2) * apart;
      return [...(along ? [x + off, y] : [x, y + off]), heading];
    });
  };
  const signal = state.signals[0]?.name;
  switch (kind) {
    case "bench": return { spots: row(3, 0.8, along ? 90 : 0), stay: [10, 30], share: 0.5 };
    case "seat-rows": return { spots: row(8, 0.8, along ? 90 : 0), stay: [20, 60] };
    case "queue": return { spots: row(8, 0.9, along ? 0 : 90).reverse(), stay: [3, 8], share: 0.5 };
    case "pause": case "shop-window": case "vending-machine": return { spots: row(4, 0.9, along ? 90 : 0), stay: [4, 12], share: 0.5 };
    case "gather": return { at: [x, y], radius: Math.max(0.8, Math.min(width, height) / 4), stay: [10, 30], share: 0.5 };
    case "get-together": return { at: [x, y], radius: Math.max(1.2, Math.min(width, height) / 3), stay: [10, 30], share: 0.5 };
    case "hurry": return { speed: 2.8 };
    case "follow": return { way: along ? [[left, y], [x, y], [right, y]] : [[x, low], [x, y], [x, high]] };
    case "traffic-light": return { signal: signal ?? "" };
    case "crosswalk": return { to: [], signal: undefined };
    case "exclusive": return { capacity: 1 };
    default: return {};
  }
}

export interface Drawn { shape: Record<string, unknown>; outline: Point[] }

/** The form; `done` gets the fields of the event. Without a drawing it is about a group of people. */
export function situationForm(schema: Schema, state: State, vehicles: string[], drawn: Drawn | null, done: (event: Record<string, unknown>) => Promise<string | null>, cancel: () => void): HTMLElement {
  const kinds = schema.$defs.Kind.oneOf.filter(({ const: kind }) => (vehicles.length > 0 || !OF_VEHICLES.includes(kind)) && FOR_MEMBERS.includes(kind) !== (drawn !== null && kind !== "group"));
  let kind = drawn ? "pause" : "friends";
  let name = "";
  let values: Record<string, unknown> = {};
  let newSignal = { name: "", on: 12, off: 18 };
  const taken = new Set([...state.situations.map((each) => each.name), ...state.regions.map((each) => each.name)]);
  const freshName = (start: string) => { for (let number = 1; ; number++) if (!taken.has(`${start} ${number}`)) return `${start} ${number}`; };
  const freshSignal = () => { for (let number = 1; ; number++) if (!state.signals.some((each) => each.name === `signal ${number}`)) return `signal ${number}`; };
  const fields = make("div"), problem = make("p", { class: "problem", role: "alert" });
  const box = make("form", { class: "form", submit: async (event: Event) => {
    event.preventDefault();
    problem.textContent = (await done(fieldsOfEvent())) ?? "";
  } });

  function fieldsOfEvent(): Record<string, unknown> {
    const situation: Record<string, unknown> = { name, kind };
    for (const [field, value] of Object.entries(values)) {
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) continue;
      situation[field] = value;
    }
    const event: Record<string, unknown> = {};
    if (situation.signal === "\0new") {
      situation.signal = newSignal.name;
      event["set-signal"] = newSignal;
    }
    if (drawn && kind !== "bus") {
      event.region = { name, ...drawn.shape };
      situation.region = name;
    }
    event["set-situation"] = situation;
    return event;
  }

  function fieldFor(field: string, property: Property): HTMLElement | null {
    const title = field.replace(/-/g, " ");
    const about = property.description ?? "";
    const set = (value: unknown) => { values[field] = value; };
    const value = values[field] ?? property.default ?? undefined;
    let element: HTMLElement | null = null;
    if (field === "signal") {
      const options: [string, string][] = [["", kind === "traffic-light" ? "choose one" : "none"], ...state.signals.map((each): [string, string] => [each.name, each.name]), ["\0new", "a new one …"]];
      const extra = make("div", { class: "indent" });
      const showNew = () => {
        extra.replaceChildren();
        if (values.signal !== "\0new") return;
        newSignal.name ||= freshSignal();
        extra.append(numberField("seconds on", newSignal.on, { min: 0, step: 1 }, (on) => { newSignal = { ...newSignal, on }; }),
          numberField("seconds off", newSignal.off, { min: 0, step: 1 }, (off) => { newSignal = { ...newSignal, off }; }));
      };
      element = make("div", {}, choiceField(title, options, String(value ?? ""), (own) => { set(own || undefined); showNew(); }), extra);
      showNew();
    } else if (field === "vehicle") {
      if (values.vehicle === undefined) set(vehicles[0]);
      element = choiceField(title, vehicles.map((each): [string, string] => [each, each]), String(values.vehicle), set);
    } else if (field === "to") {
      const list = (value as string[] | undefined) ?? [];
      element = make("fieldset", {}, make("legend", {}, title), ...state.regions.filter((each) => each.areas.length > 0).slice(0, 60).map((region) => {
        const input = make("input", { type: "checkbox", checked: list.includes(region.name), change: () => {
          const now = new Set((values.to as string[] | undefined) ?? []);
          if (input.checked) now.add(region.name); else now.delete(region.name);
          set([...now]);
        } });
        return make("label", {}, input, ` ${region.name}`);
      }));
    } else if (has(property, "boolean")) {
      element = choiceField(title, [["", "as usual"], ["true", "yes"], ["false", "no"]], "", (own) => set(own === "" ? undefined : own === "true"));
    } else if (has(property, "number") || has(property, "integer")) {
      element = numberField(title, value as number, { step: has(property, "integer") ? 1 : "any", min: 0 }, set);
    } else if (has(property, "array") && property.maxItems === 2 && field !== "at") {
      const pair = ((value as number[] | undefined) ?? []).slice();
      const part = (index: number) => (own: number) => { pair[index] = own; if (pair.length === 2 && pair.every(Number.isFinite)) set(pair.slice()); };
      element = make("div", { class: "pair" }, numberField(`${title} from`, pair[0], { step: "any" }, part(0)), numberField("to", pair[1], { step: "any" }, part(1)));
    } else if (has(property, "array")) {
      const input = make("input", { value: value === undefined ? "" : JSON.stringify(value, (_, each) => typeof each === "number" ? Math.round(each * 100) / 100 : each), input: () => {
        try { set(input.value.trim() === "" ? undefined : JSON.parse(input.value)); input.setCustomValidity(""); } catch { input.setCustomValidity("a list in brackets, such as [[1, 2, 90]]"); }
      } });
      element = make("label", { class: "field" }, title, input);
    }
    element?.setAttribute("title", about.replace(/\s+/g, " "));
    return element;
  }

  function rebuild() {
    values = drawn ? suggestion(kind, drawn.outline, state) : {};
    name = freshName(kind);
    const nameInput = make("input", { value: name, required: true, maxlength: 60, input: () => { name = nameInput.value; } });
    const parts: (HTMLElement | null)[] = [make("label", { class: "field" }, "name", nameInput)];
    for (const [field, property] of Object.entries(schema.$defs.Situation.properties)) {
      if (!ELSEWHERE.includes(field) && isFor(property.description ?? "", kind)) parts.push(fieldFor(field, property));
    }
    about.textContent = kinds.find((each) => each.const === kind)?.description ?? "";
    fields.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
  }

  const about = make("p", { class: "quiet" });
  box.append(
    make("h2", {}, drawn ? "What people do here" : "A group"),
    choiceField("kind", kinds.map((each): [string, string] => [each.const, each.const.replace(/-/g, " ")]), kind, (own) => { kind = own; rebuild(); }),
    about, fields, problem,
    make("div", { class: "row" }, make("button", { type: "submit", class: "main", id: "form-done" }, drawn ? "Paint it" : "Make it"), make("button", { type: "button", click: cancel }, "Cancel")),
  );
  rebuild();
  return box;
}
