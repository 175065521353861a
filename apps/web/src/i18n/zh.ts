import { en } from "./en.ts";
export const zh = en;
