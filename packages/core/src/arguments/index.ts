export { asMeant } from "./as-meant.ts";
export { idNumeral, numeral } from "./numeral.ts";
