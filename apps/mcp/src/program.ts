/** Program that `main.ts` starts, once V8's compiled code is kept. */
export { RELEASE } from "@chest/runtime";
export { serve } from "./serve.ts";
