/** For a POSIX shell, as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** One word for the shell of this platform, bare where that is enough. */
export function asWord(text: string): string {
  if (/^[A-Za-z0-9_./~-]+$/.test(text)) return text;
  return process.platform === "win32" ? `"${text}"` : quoted(text);
}
