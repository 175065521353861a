/** Splits a list at commas. */
export const listOf = (text: string): string[] => text.split(",").flatMap((word) => word.trim() || []);
