import { captureTranscript, onPreCompact, onSessionEnd } from "@chest/core";

// A separate module, so that a prompt does not wait for it to load.
export { captureTranscript, onPreCompact, onSessionEnd };
