export { innermost, normalizeArguments } from "./normalize-arguments.ts";
export { idNumeral, numeral } from "./numeral.ts";
