import { ChestError } from "@chest/contracts";
import type { Stage } from "@chest/core/executor";
import type { Env } from "@chest/runtime";
import { ownName, typedHere } from "@chest/runtime/own-name";

/** Names the commands of a hint as they can be typed on this machine, where the shell may not find `chest-index`. */
export function typedHints(env: Env, script: string): Stage {
  return async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      throw error instanceof ChestError && error.hint?.includes("chest-index") ? typed(error) : error;
    }
  };

  function typed({ code, message, hint = "", details, cause }: ChestError): ChestError {
    return new ChestError(code, message, { hint: typedHere(hint, ownName(env, script)), details, cause });
  }
}
