/** A text of Windows with the line ends of the other systems, by which all readers here take lines apart. */
export const withUnixLines = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text);
