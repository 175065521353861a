import { ChestError } from "@chest/contracts";

/** What whoever did not begin a session is told. */
export const noSuchSession = (): ChestError =>
  new ChestError("NOT_FOUND", "session not found among yours", {
    hint: "a session belongs to the member it was begun as: use that token, or begin a new session",
  });
