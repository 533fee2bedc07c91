// What everybody looks like: the server draws people by all that the scene tells of them, the page asks for each one once.
import { PERSON_BYTES } from "../bodies";
import type { App } from "./app";

/** People who are asked about at once, and as many are known at most. */
const AT_ONCE = 400, MOST = 100_000;

export class Cast {
  /** What was known of somebody when it was asked about, and where the facts about it are, by number. */
  private known = new Map<number, { by: string; person: number }>();
  private busy = false;

  constructor(private readonly app: App, private readonly changed: (person: number) => void) {}

  /** Another scene has other people. */
  clear() {
    this.known.clear();
    this.app.wardrobe.forgetTold();
  }

  /** Where the facts about somebody are; those of its number until more is known. */
  personOf(id: number): number {
    const { wardrobe, live } = this.app;
    return this.known.get(id)?.person ?? wardrobe.personOf(live.looks.get(id) ?? id);
  }

  /** Asks about those who are new or look otherwise: a few times a second. */
  async refresh() {
    const { app } = this, { shown, looks, dresses } = app.live, generation = app.scene?.generation;
    if (this.busy) return;
    const byOf = (id: number) => `${looks.get(id) ?? ""} ${dresses.get(id) ?? ""}`;
    const people: number[] = [], by: string[] = [];
    for (let slot = 0; slot < shown.count && people.length < AT_ONCE; slot++) {
      const id = shown.id[slot], now = byOf(id);
      if (this.known.get(id)?.by !== now) { people.push(id); by.push(now); }
    }
    if (people.length === 0) return;
    if (this.known.size > MOST) this.clear();
    this.busy = true;
    const answer = await app.ask({ kind: "looks", people });
    this.busy = false;
    if (answer.came !== "looks" || app.scene?.generation !== generation) return;
    const facts = Uint8Array.from(atob(answer.facts), (letter) => letter.charCodeAt(0));
    people.forEach((id, index) => {
      // Who has gone meanwhile is not asked about again.
      const own = facts.subarray(index * PERSON_BYTES, (index + 1) * PERSON_BYTES), before = this.known.get(id)?.person;
      const person = app.wardrobe.tell(own, before);
      this.known.set(id, { by: by[index], person });
      if (before !== undefined) this.changed(person);
    });
  }
}
