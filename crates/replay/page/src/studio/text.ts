// The tab with the scene's text, and what is taken away from here.
import type { App } from "./app";
import { Editor, type WholeSchema } from "./editor";
import { filmButtons } from "./film";
import { make } from "./make";
import type { Mistake } from "./protocol/Mistake";
import type { Text } from "./protocol/Text";

const FORMATS: [string, string][] = [["", "no export"], ["csv", "+ CSV"], ["txt", "+ text for PedPy"], ["glb", "+ glTF"], ["usda", "+ USD (text)"], ["usdc", "+ USD"]];

/** What was changed from one text to another, in a third that was made of the first: from where, to where, and what stands there; null where both changed the same. */
function carriedOver(before: string, after: string, mine: string): [number, number, string] | null {
  const least = Math.min(before.length, after.length);
  let head = 0, tail = 0;
  while (head < least && before[head] === after[head]) head++;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const gone = before.length - head - tail, instead = after.slice(head, after.length - tail);
  const from = mine.endsWith(before.slice(head)) ? mine.length - before.length + head : mine.startsWith(before.slice(0, head + gone)) ? head : null;
  return from === null ? null : [from, from + gone, instead];
}

/** The scene's text with marks where something is wrong. */
export class TextPanel {
  readonly element: HTMLElement;
  readonly editor: Editor;
  private readonly problems = make("ul", { id: "problems" });
  private readonly run = make("button", { id: "run-text", class: "main", disabled: true }, "Run this text");
  private told = "";
  /** The text that the one here was made from, and the one that was run last. */
  private base = "";
  private ran = "";
  private timer = 0;

  constructor(private readonly app: App) {
    this.editor = new Editor(() => app.schema as WholeSchema | null, () => this.typed());
    const name = make("input", { id: "file-name", placeholder: "name.toml", "aria-label": "File name" });
    const seconds = make("input", { type: "number", value: 60, min: 1, max: 3600, "aria-label": "Seconds" });
    const to = make("select", { id: "export-to", "aria-label": "Export to" }, ...FORMATS.map(([value, title]) => make("option", { value }, title)));
    this.element = make("div", { class: "text-panel" },
      make("div", { class: "row" }, this.run, make("button", { click: () => this.put(this.told) }, "As it runs"), name,
        make("button", { id: "save-as", click: async () => this.say(await app.ask({ kind: "save-as", name: name.value || "scene.toml" })) }, "Save as")),
      make("div", { class: "row" }, make("span", { class: "quiet" }, "Take away:"), seconds, " s ", to,
        make("button", { id: "take-away", click: async () => { app.say("the scene runs into a folder …"); this.say(await app.ask({ kind: "take-away", name: `${app.scene?.name ?? "scene"}-run`, seconds: seconds.valueAsNumber, to: to.value })); } }, "Record run, replay and report")),
      filmButtons(app),
      make("div", { class: "editor" }, this.editor.element), this.problems);
    name.addEventListener("keydown", (event) => event.stopPropagation());
    this.run.addEventListener("click", () => { void this.runText(this.editor.value); });
  }

  /** Runs another text, and marks what is wrong with it; returns whether it runs. */
  async runText(text: string): Promise<boolean> {
    const answer = await this.app.ask({ kind: "text", text, onto: this.base });
    this.say(answer);
    if (answer.came === "refused") { this.editor.value = text; this.mark(answer.problems); }
    else this.ran = text;
    return answer.came !== "refused";
  }

  private say(answer: { came: string; why?: string; said?: string | null }) {
    if (answer.came === "refused") this.app.say(answer.why ?? "refused", true);
    else if (answer.said) this.app.say(answer.said);
  }

  /** The server's text: it replaces what nobody has changed here, and what was changed elsewhere is changed here, too. */
  take({ text, problems }: Text) {
    const own = this.editor.value !== this.told && this.editor.value !== this.ran, before = this.told;
    this.told = text;
    if (!own || this.editor.value === text) { this.put(text); this.mark(problems); return; }
    const change = this.base === before ? carriedOver(before, text, this.editor.value) : null;
    if (change) {
      this.editor.replace(...change);
      this.base = text;
      return;
    }
    this.app.say("the scene has changed; the text here is yours: “As it runs” shows the new one");
    this.run.disabled = false;
  }

  private put(text: string) {
    this.base = text;
    this.ran = "";
    this.editor.value = text;
    this.run.disabled = text === this.told;
    this.mark([]);
  }

  private typed() {
    this.run.disabled = this.editor.value === this.told;
    clearTimeout(this.timer);
    if (this.editor.value === this.told) return;
    this.timer = window.setTimeout(async () => {
      const answer = await this.app.ask({ kind: "check", text: this.editor.value });
      if (answer.came === "checked") this.mark(answer.problems);
    }, 500);
  }

  private mark(problems: Mistake[]) {
    this.editor.mark(problems);
    this.problems.replaceChildren(...problems.slice(0, 50).map((each) => make("li", { class: each.harmless ? "harmless" : "wrong", click: () => this.editor.goTo(each.line ?? 1) }, `${each.line ? `line ${each.line}: ` : ""}${each.what}${each.fix ? ` (${each.fix})` : ""}`)));
  }
}
