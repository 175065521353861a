/** Address of a database as it may be shown. Several hosts make it no URL of the standard, so its password is cut by hand. */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^/?#@:]*):[^@]*@/, "$1@").replace(/([?&]password=)[^&]*/gi, "$1…");
