import { slimLine } from "@chest/core/transcript";

// A separate module, so that a prompt does not wait for it to load.
export { slimLine };
