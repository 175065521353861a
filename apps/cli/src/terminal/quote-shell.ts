export { asWord, quoted } from "@chest/runtime/shell-words";
