export type Clean = (text: string) => string;

/** Cleans each string of a JSON text, so that the structure is unchanged. Invalid JSON is cleaned as one text. */
export function cleanJson(text: string, clean: Clean): string {
  try {
    return JSON.stringify(cleanedIn(JSON.parse(text), clean));
  } catch {
    return clean(text);
  }
}

function cleanedIn(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((each) => cleanedIn(each, clean));
  if (typeof value !== "object" || value === null) return value;
  // Keys are cleaned too, because they may be paths.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), cleanedIn(each, clean)]));
}
