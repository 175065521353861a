import { type Key, Scene, type Within } from "./situation.ts";

/** Most combinations of keys that are tried. */
const MOST_TRIALS = 2000;

/** A scene in which some keys are said and others are not. */
class Trial extends Scene {
  readonly #said: ReadonlyMap<string, boolean>;
  /** Key that the condition asked for and nothing is known of. */
  unknown: string | undefined;
  /** The condition asked for something else than keys. */
  hasAskedMore = false;

  constructor(said: ReadonlyMap<string, boolean>) {
    super({ messages: [], now: new Date(0) });
    this.#said = said;
    const { situation, files } = this;
    for (const [name, value] of Object.entries({ situation, files }))
      Object.defineProperty(this, name, {
        get: () => {
          this.hasAskedMore = true;
          return value;
        },
      });
  }

  override matches(keys: readonly Key[], within: Within): number {
    return keys.filter((key) => this.#isSaid(key, within)).length;
  }

  override holdsAll(keys: readonly Key[], within: Within): boolean {
    return keys.every((key) => this.#isSaid(key, within));
  }

  #isSaid({ text }: Key, { scope, depth }: Within): boolean {
    const key = `${scope} ${depth} ${text}`;
    const known = this.#said.get(key);
    if (known === undefined) this.unknown ??= key;
    return known ?? false;
  }
}

/**
 * Value of a condition over keys alone that is the same whatever is said, such as of `a || !a`; undefined for any other. The
 * condition must not compare how often a key was said.
 */
export function constantOver(holds: (scene: Scene) => boolean): boolean | undefined {
  const found = new Set<boolean>();
  const open: ReadonlyMap<string, boolean>[] = [new Map()];
  for (let trials = 0; trials < MOST_TRIALS; trials += 1) {
    const said = open.pop();
    if (said === undefined) return [...found][0];
    const trial = new Trial(said);
    const value = holds(trial);
    if (trial.hasAskedMore) return undefined;
    const { unknown } = trial;
    if (unknown === undefined) found.add(value);
    else for (const isSaid of [true, false]) open.push(new Map(said).set(unknown, isSaid));
    if (found.size > 1) return undefined;
  }
  return undefined;
}
