import { captureTranscript, onPreCompact, onSessionEnd } from "@chest/core";

// Apart from what is asked before a prompt, which is not to wait for it to be loaded.
export { captureTranscript, onPreCompact, onSessionEnd };
