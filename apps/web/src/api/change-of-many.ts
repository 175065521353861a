import { ApiError } from "./api-error.ts";
import type { Change } from "./changes.ts";

interface Made {
  readonly undo: (() => Promise<unknown>) | undefined;
}

/**
 * Makes several changes one after another. A refused change is skipped, often because another member changed that memory
 * first. Undo reverts all changes that were made, newest first; there is no undo if one of the changes cannot be reverted.
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
    message: (made) => tell(made.length, changes.length - made.length),
    ...(changes.every(({ undo }) => undo)
      ? {
          async undo(made) {
            let refusal: unknown;
            // A memory that another member has changed since keeps that change, and the other memories are still reverted.
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

/**
 * Runs a change, and waits as long as the backend says if a rate limit refuses it: a member may select more memories than it
 * may change in a minute.
 */
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
