// An editor for scenes: TOML in colours, mistakes in their lines, and completion from the JSON Schema of scenes.
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { defaultHighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Mistake } from "./protocol/Mistake";

/** A part of a JSON Schema, as far as completion looks at it. */
interface Part {
  $ref?: string;
  description?: string;
  properties?: Record<string, Part>;
  items?: Part;
  anyOf?: Part[];
  oneOf?: Part[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
}
export interface WholeSchema extends Part { $defs?: Record<string, Part> }

/** All that a part of the schema may stand for, references followed. */
function meanings(root: WholeSchema, part: Part | undefined, depth = 0): Part[] {
  if (!part || depth > 8) return [];
  const named = part.$ref?.match(/^#\/\$defs\/(.*)$/)?.[1];
  if (named) return meanings(root, root.$defs?.[named], depth + 1).map((own) => ({ ...own, description: part.description ?? own.description }));
  const choices = [...(part.anyOf ?? []), ...(part.oneOf ?? [])];
  return choices.length > 0 ? [part, ...choices.flatMap((each) => meanings(root, each, depth + 1))] : [part];
}

/** What a path of keys leads to; lists are looked through. */
function follow(root: WholeSchema, path: string[]): Part[] {
  let parts: Part[] = [root];
  for (const key of path) {
    parts = parts.flatMap((part) => meanings(root, part)).flatMap((part) => [part, ...meanings(root, part.items)]).flatMap((part) => meanings(root, part.properties?.[key]));
  }
  return parts.flatMap((part) => [part, ...meanings(root, part.items)]);
}

const KEY = /[A-Za-z0-9_-]*$/;

/** The tables and fields that are open at a place, outermost first. */
export function pathAt(text: string): string[] {
  const header = [...text.matchAll(/^\s*\[\[?([^\]\n]+)\]\]?/gm)].at(-1);
  const path = header ? header[1].split(".").map((key) => key.trim()) : [];
  const since = header ? text.slice(header.index + header[0].length) : text;
  // Tables within the line, such as `direct = { at = `.
  const line = since.slice(since.lastIndexOf("\n") + 1), open: string[] = [];
  let last = "";
  for (const [, key, bracket] of line.matchAll(/([A-Za-z0-9_-]+)\s*=|([{}])/g)) {
    if (key) last = key;
    else if (bracket === "{") open.push(last);
    else open.pop();
  }
  return [...path, ...open];
}

/** What can stand at the end of a text: keys of the table that is open, or values of the key before. */
export function completions(root: WholeSchema, before: string): Completion[] {
  const line = before.slice(before.lastIndexOf("\n") + 1), path = pathAt(before);
  const told = (parts: Part[]) => parts.map((part) => part.description).find((each) => each) ?? "";
  if (/^\s*\[\[?[A-Za-z-]*$/.test(line)) {
    return Object.entries(root.properties ?? {}).filter(([, part]) => meanings(root, part).some((own) => own.properties || own.items)).map(([label, part]) => ({ label, type: "class", info: told(meanings(root, part)) }));
  }
  const value = line.match(/([A-Za-z0-9_-]+)\s*=\s*(\[\s*)?"?[A-Za-z0-9_-]*$/);
  if (value) {
    const parts = follow(root, [...path, value[1]]);
    const words = parts.flatMap((part) => [...(part.enum ?? []), ...(part.const !== undefined ? [part.const] : [])].map((word) => ({ word, info: part.description ?? "" })));
    const quoted = /"[A-Za-z0-9_-]*$/.test(line);
    const all = words.filter(({ word }) => typeof word === "string").map(({ word, info }) => ({ label: String(word), apply: quoted ? String(word) : `"${String(word)}"`, type: "constant", info }));
    const truths = parts.some((part) => [part.type].flat().includes("boolean")) && !quoted ? ["true", "false"].map((label) => ({ label, type: "keyword" })) : [];
    return [...all, ...truths];
  }
  if (!/(^|[{,])\s*[A-Za-z0-9_-]*$/.test(line)) return [];
  const keys = new Map<string, Part>();
  for (const part of follow(root, path)) for (const [key, own] of Object.entries(part.properties ?? {})) if (!keys.has(key)) keys.set(key, own);
  return [...keys].map(([label, part]) => ({ label, apply: `${label} = `, type: "property", info: told(meanings(root, part)) }));
}

export class Editor {
  readonly element = document.createElement("div");
  private readonly view: EditorView;

  constructor(schema: () => WholeSchema | null, changed: () => void) {
    this.element.id = "text";
    const complete = (context: CompletionContext): CompletionResult | null => {
      const root = schema(), word = context.matchBefore(KEY);
      if (!root || !word || (word.from === word.to && !context.explicit)) return null;
      const options = completions(root, context.state.sliceDoc(0, context.pos));
      return options.length > 0 ? { from: word.from, options, validFor: /^[A-Za-z0-9_-]*$/ } : null;
    };
    this.view = new EditorView({
      parent: this.element,
      state: EditorState.create({ extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), StreamLanguage.define(toml), syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        autocompletion({ override: [complete] }), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "The scene's text", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ] }),
    });
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
  }

  get value() { return this.view.state.doc.toString(); }

  /** Another text; where one looks stays. */
  set value(text: string) {
    if (text === this.value) return;
    const { scrollTop } = this.view.scrollDOM;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.view.scrollDOM.scrollTop = scrollTop;
  }

  /** Puts other text in the place of some; the cursor stays where it was in the text. */
  replace(from: number, to: number, text: string) { this.view.dispatch({ changes: { from, to, insert: text } }); }

  mark(problems: Mistake[]) {
    const { doc } = this.view.state;
    this.view.dispatch(setDiagnostics(this.view.state, problems.filter((each) => each.line !== null && each.line <= doc.lines).map((each) => {
      const { from, to } = doc.line(each.line!);
      return { from, to, severity: each.harmless ? "warning" as const : "error" as const, message: each.fix ? `${each.what} (${each.fix})` : each.what };
    })));
  }

  goTo(line: number) {
    const { from } = this.view.state.doc.line(Math.min(Math.max(line, 1), this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }
}
