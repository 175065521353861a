/**
 * Removes the password from a database address for display. An address with several hosts is no valid URL, so its
 * password is cut by pattern.
 */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^/?#@:]*):[^@]*@/, "$1@").replace(/([?&]password=)[^&]*/gi, "$1…");
