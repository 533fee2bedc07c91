// A walk around the studio in a minute: one part after the other is shown, with a few words.
import type { App, Tool } from "./app";
import { find, make } from "./make";

/** What is shown, the tool that is taken, and what is said of it. */
const STOPS: [selector: string, tool: Tool | null, said: string][] = [
  ["#stage", "look", "This crowd is alive. Drag to look around, use the wheel to come nearer, click a person to see what it wants and why it stands."],
  ["#bar", "look", "Time: run, pause, go step by step or 16 times as fast. Drag the line back, change something there, and let it run on. Marks are events: click, drag or delete them."],
  ["#tool-region", "region", "Paint a place with a round brush, or draw it, and say what people do there: wait at a light, sit, queue, hurry … All kinds have a form."],
  ["#tool-people", "people", "Spray people. With Brush you dress, size, turn, speed up or lock them; locked ones are left alone."],
  ["#tool-wall", "wall", "Draw walls, blocks and doors; move, turn and cut them. They come as soon as nobody has promised to be there."],
  ["#tool-direct", "direct", "Press on a person and drag its ghost: it will be exactly there, at the second that you say. With Shape, many form a word."],
  ["#side", "look", "Layers lists all that you made: on, off, higher, lower, copied. People has colours and curves. Text is the scene's file, with all that you did."],
  ["#title", "look", "Everything can be taken back. Save writes the scene; `crowdloom run` makes the same crowd of it, to the bit. ? shows all keys."],
];
/** Milliseconds for each. */
const EACH = 7500;

export class Tour {
  private at = -1;
  private timer = 0;
  /** Whoever presses Next goes at a pace of its own. */
  private byItself = true;
  private readonly card = make("div", { id: "tour", class: "card", role: "status", hidden: true });
  private readonly ring = make("div", { id: "tour-ring", hidden: true });

  constructor(private readonly app: App) { document.body.append(this.ring, this.card); }

  get running() { return this.at >= 0; }

  start() { this.byItself = true; this.go(0); }

  stop() {
    clearTimeout(this.timer);
    this.at = -1;
    this.card.hidden = this.ring.hidden = true;
    this.app.setTool("look");
  }

  private go(to: number) {
    clearTimeout(this.timer);
    if (to >= STOPS.length) { this.stop(); return; }
    this.at = to;
    const [selector, tool, said] = STOPS[to];
    if (tool && this.app.tool !== tool) this.app.setTool(tool);
    const button = (title: string, click: () => void, more = {}) => make("button", { click, ...more }, title);
    this.card.replaceChildren(make("small", { class: "quiet" }, `${to + 1} of ${STOPS.length}`), make("p", {}, said), make("div", { class: "row" },
      button(to + 1 < STOPS.length ? "Next" : "Done", () => { this.byItself = false; this.go(to + 1); }, { class: "main", id: "tour-next" }), button("Stop", () => this.stop(), { id: "tour-stop" })));
    this.card.hidden = false;
    const box = find(selector).getBoundingClientRect(), whole = selector === "#stage";
    this.ring.hidden = whole;
    Object.assign(this.ring.style, { left: `${box.left - 5}px`, top: `${box.top - 5}px`, width: `${box.width + 10}px`, height: `${box.height + 10}px` });
    if (this.byItself) this.timer = window.setTimeout(() => this.go(to + 1), EACH);
  }
}
