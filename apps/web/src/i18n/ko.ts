import { en } from "./en.ts";
export const ko = en;
