// Why somebody did what it did: the moves of its last decision, and what its behaviour functions made of them.
import { make } from "./make";
import type { Decision } from "./protocol/Decision";

export class Weights {
  private readonly content = make("div");
  readonly element = make("details", { id: "weights" }, make("summary", {}, "Why: its last decision"), this.content);

  show(decision: Decision | null, frame: number) { if (this.element.open) this.content.replaceChildren(...told(decision, frame)); }
}

/** A decision in words and bars. */
function told(decision: Decision | null, frame: number): HTMLElement[] {
  if (!decision) return [make("p", { class: "quiet" }, "it has not decided since you clicked it; those who are steered by velocities weigh no moves")];
  const ago = Math.max(0, frame - decision.frame) / 30;
  const head = make("p", { class: "quiet" }, `${ago.toFixed(1)} s ago: ${decision.weighed} of ${decision.moves} moves were worth a thought`);
  if (decision.likeliest.length === 0) return [head, make("p", {}, decision.moves === 0 ? "its situations let it stay as it is" : "no move was better than staying")];
  return [head, ...decision.likeliest.map((move) => make("div", { class: `move ${move.fate === "taken" ? "taken" : ""}` },
    make("div", { class: "row" }, make("b", {}, `${(move.share * 100).toFixed(move.share < 0.1 ? 1 : 0)} %`), `${move.metres.toFixed(1)} m, ${Math.round(move.degrees)}°`, make("i", {}, move.fate)),
    make("small", { class: "quiet", title: move.clip }, move.clip),
    make("div", { class: "bars" }, ...move.weights.flatMap(([name, weight]) => [make("span", {}, name), bar(weight)]))))];
}

function bar(weight: number): HTMLElement {
  const bar = make("span", { class: "bar", title: weight.toPrecision(3) }, weight >= 0.995 ? "1" : weight.toPrecision(2));
  bar.style.setProperty("--share", `${Math.min(1, weight) * 100}%`);
  return bar;
}
