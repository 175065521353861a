export type Clean = (text: string) => string;

/** Cleans each text in a JSON by itself, so that quotes around it stay what they are. What turns out to be none is one text. */
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
  // Paths stand as keys.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), cleanedIn(each, clean)]));
}
