export { asMeant, innermost } from "./as-meant.ts";
export { idNumeral, numeral } from "./numeral.ts";
