export {
  failureHookInput,
  fileHookInput,
  promptHookInput,
  sessionId,
  sessionInput,
  sessionStartInput,
} from "./inputs.ts";
export { LANGUAGES, type Language, languageOf } from "./language.ts";
export { onFailure } from "./on-failure.ts";
export { onFile } from "./on-file.ts";
export { onPrompt } from "./on-prompt.ts";
export { onPreCompact, onSessionEnd, onSessionStart, readWork } from "./on-session.ts";
export { previewHooks } from "./preview.ts";
export { asPrompt, isWorthAsking } from "./worth-asking.ts";
