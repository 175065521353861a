import type { Change } from "./changes.ts";

interface Made {
  readonly undo: (() => Promise<unknown>) | undefined;
}

/**
 * Makes one change of many, one after the other. A refused one is left out, often because another member was quicker;
 * undo takes back all that were made, the last one first, unless one of them cannot be taken back.
 */
export function changeOfMany(
  changes: readonly Change<unknown>[],
  tell: (made: number, left: number) => string,
): Change<readonly Made[]> {
  return {
    async run() {
      const made: Made[] = [];
      let refusal: unknown;
      for (const { run, undo } of changes) {
        try {
          const done = await run();
          made.push({ undo: undo && (() => undo(done)) });
        } catch (error) {
          refusal ??= error;
        }
      }
      if (made.length === 0) throw refusal;
      return made;
    },
    told: (made) => tell(made.length, changes.length - made.length),
    ...(changes.every(({ undo }) => undo)
      ? {
          async undo(made) {
            for (const { undo } of made.toReversed()) await undo?.();
          },
        }
      : {}),
  };
}
