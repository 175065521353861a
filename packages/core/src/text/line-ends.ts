/** Replaces Windows line ends by `\n`, at which all readers here split lines. */
export const withUnixLines = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text);
