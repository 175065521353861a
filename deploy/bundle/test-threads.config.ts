export { threadsOfTests as default } from "./threads.ts";
