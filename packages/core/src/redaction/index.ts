export { redact, redactCounted, withoutPassword } from "./redact.ts";
export { type Clean, cleanedIn, cleanJson } from "./redact-json.ts";
export { NAME_PLACES, NOTED_FORMER, TEXT_PLACES, type TextPlace } from "./text-places.ts";
