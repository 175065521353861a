export type Clean = (text: string) => string;

/** Cleans each string of a JSON text, so that the structure is unchanged. Invalid JSON is cleaned as one text. */
export function cleanJson(text: string, clean: Clean): string {
  try {
    return JSON.stringify(cleanedIn(JSON.parse(text), clean));
  } catch {
    return clean(text);
  }
}

/** Cleans each string of a value down to a depth, keys included, because they may be paths. */
export function cleanedIn(value: unknown, clean: Clean, depth = Number.POSITIVE_INFINITY): unknown {
  if (typeof value === "string") return clean(value);
  if (depth === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cleanedIn(each, clean, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [clean(key), cleanedIn(each, clean, depth - 1)]),
  );
}
