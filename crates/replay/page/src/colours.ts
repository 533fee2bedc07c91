// Colours people by what they do, and says in a legend what colours mean.
import * as THREE from "three";
import type { CrowdView, Shown } from "./crowd";
import { category, ramp, RAMP_CSS } from "./looks";

export const MODES = ["clothes", "speed", "action", "style", "state"] as const;
export type Mode = (typeof MODES)[number];

interface Header {
  clips: { name: string; labels: string[] }[]; styles: string[]; states: string[];
  /** The numbers that those are drawn by who look otherwise than by their own. */
  looks?: Record<string, number>;
  appearances?: { frame: number; agent: number }[];
}

/** Metres a second at the bright end. */
const FASTEST = 2;

export class Colours {
  mode: Mode = "clothes";
  /** What kind of action each clip is, and all kinds. */
  kinds: string[] = [];
  private readonly kindOf: number[];
  private readonly bytes = new Map<string, [number, number, number]>();
  private readonly dressed: Int32Array;
  /** From which frame on those are which of the last people of the wardrobe who come to look otherwise. */
  private readonly changing = new Map<number, { frame: number; place: number }[]>();

  constructor(private readonly header: Header, shown: number[], capacity: number) {
    // Kinds that are shown come first: they get the colours that are easiest to tell apart.
    for (const clip of shown) this.kinds.push(header.clips[clip]?.labels[0] ?? header.clips[clip]?.name ?? "?");
    this.kinds = [...new Set(this.kinds)];
    this.kindOf = header.clips.map((clip) => {
      const kind = clip.labels[0] ?? clip.name;
      if (!this.kinds.includes(kind)) this.kinds.push(kind);
      return this.kinds.indexOf(kind);
    });
    this.dressed = new Int32Array(capacity).fill(-1);
    header.appearances?.forEach(({ agent, frame }, place) => this.changing.set(agent, [...(this.changing.get(agent) ?? []), { frame, place }]));
  }

  kind(clip: number): string {
    return this.kinds[this.kindOf[clip]] ?? "";
  }

  private rgb(css: string): [number, number, number] {
    let known = this.bytes.get(css);
    if (!known) {
      const colour = new THREE.Color(css);
      this.bytes.set(css, known = [colour.r * 255, colour.g * 255, colour.b * 255]);
    }
    return known;
  }

  /** The person of the wardrobe that somebody is in a frame: those who come to look otherwise are there once for each of their looks. */
  private personAt(id: number, frame: number, view: CrowdView): number {
    const own = this.changing.get(id);
    if (!own) return view.wardrobe.personOf(id);
    let now = own[0];
    for (const each of own) if (each.frame <= frame) now = each;
    return view.wardrobe.usual + now.place;
  }

  /** Dresses and tints everybody who is there. */
  paint(view: CrowdView, shown: Shown, chosen: number, frame: number) {
    for (let slot = 0; slot < shown.count; slot++) {
      const person = this.personAt(shown.id[slot], frame, view);
      if (this.dressed[slot] !== person) {
        view.person[slot] = person;
        this.dressed[slot] = person;
      }
      let tint: [number, number, number] = [0, 0, 0], strength = 0;
      if (this.mode !== "clothes") {
        strength = 235;
        if (this.mode === "speed") {
          const colour = ramp(shown.speed[slot] / FASTEST);
          tint = [colour.r * 255, colour.g * 255, colour.b * 255];
        } else {
          const index = this.mode === "action" ? this.kindOf[shown.clip[slot]] : this.mode === "style" ? shown.style[slot] : shown.state[slot];
          tint = this.rgb(category(index));
        }
      }
      if (shown.id[slot] === chosen) [tint, strength] = [this.rgb("#ff4f6d"), 190];
      view.tint.set([...tint, strength], slot * 4);
    }
  }

  /** The legend for those who are there, as HTML. */
  legend(shown: Shown): string {
    if (this.mode === "clothes") return "";
    if (this.mode === "speed") return `<div class="ramp" style="background:${RAMP_CSS}"></div><div class="ends"><span>0</span><span>${FASTEST} m/s</span></div>`;
    const [names, index] = this.mode === "action" ? [this.kinds, (slot: number) => this.kindOf[shown.clip[slot]]]
      : this.mode === "style" ? [this.header.styles, (slot: number) => shown.style[slot]]
      : [this.header.states, (slot: number) => shown.state[slot]];
    const counts = new Map<number, number>();
    for (let slot = 0; slot < shown.count; slot++) counts.set(index(slot), (counts.get(index(slot)) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10).map(([each, count]) =>
      `<div class="key"><i style="background:${category(each)}"></i>${escape(names[each] ?? "?")}<b>${count}</b></div>`).join("");
  }
}

/** Text that is no markup. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
