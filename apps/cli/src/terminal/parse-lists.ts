/** Words set apart by commas. */
export const listOf = (text: string): string[] => text.split(",").flatMap((word) => word.trim() || []);
