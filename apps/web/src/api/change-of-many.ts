import { ApiError } from "./api-error.ts";
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
          const done = await patiently(run);
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
            let refusal: unknown;
            // What another member has changed since stays theirs, and holds up no other.
            for (const { undo } of made.toReversed()) {
              try {
                if (undo) await patiently(undo);
              } catch (error) {
                refusal ??= error;
              }
            }
            if (refusal !== undefined) throw refusal;
          },
        }
      : {}),
  };
}

/** Ten thousand changes are more than a member may make in a minute: waits as long as the backend says. */
async function patiently<Done>(run: () => Promise<Done>): Promise<Done> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "RATE_LIMITED") throw error;
      await new Promise((resume) => setTimeout(resume, Number(error.details.retry_after_ms ?? 1000)));
    }
  }
}
