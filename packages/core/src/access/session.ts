import { ChestError } from "@chest/contracts";

/** Error for callers that did not begin the session. */
export const noSuchSession = (): ChestError =>
  new ChestError("NOT_FOUND", "session not found among yours", {
    hint: "a session belongs to the member it was begun as: use that token, or begin a new session",
  });
