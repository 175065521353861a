/** The version of this wire, not of a package: it rises with what crosses it. */
export const WIRE_VERSION = "1.6.0";

/** The oldest wire this backend still speaks; it rises with a breaking change only. */
export const MIN_CLIENT_WIRE_VERSION = "1.5.0";

/** Compares MAJOR.MINOR.PATCH as numbers; a leading `v` and suffixes are ignored, missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
  const left = numbersOf(a);
  const right = numbersOf(b);
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

function numbersOf(version: string): number[] {
  const [core = ""] = version.trim().replace(/^v/i, "").split(/[-+]/);
  return core.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
