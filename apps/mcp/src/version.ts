export { RELEASE } from "@chest/runtime";
