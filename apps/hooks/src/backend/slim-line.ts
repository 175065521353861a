import { slimLine } from "@chest/core";

// A separate module, so that a prompt does not wait for it to load.
export { slimLine };
