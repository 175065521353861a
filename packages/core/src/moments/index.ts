export { readTimeZone } from "./time-zone.ts";
