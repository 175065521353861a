import { onPreCompact, onSessionEnd } from "@chest/core/hooks";
import { captureTranscript } from "@chest/core/transcript";

// A separate module, so that a prompt does not wait for it to load.
export { captureTranscript, onPreCompact, onSessionEnd };
