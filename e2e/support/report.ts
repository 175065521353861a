/** Prints a measured number; asserts nothing. */
export function report(what: string, values: Readonly<Record<string, string | number>>): void {
  const shown = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  console.log(`[measured] ${what}: ${shown.join(", ")}`);
}
