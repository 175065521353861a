// For a program that has no time to load the rest: an exchange, and neither endpoints nor their schemas.
export { readBaseUrl } from "./address.ts";
export { openTransport } from "./bare-transport.ts";
