/** What `main.ts` starts, once what V8 compiled is kept. */
export { RELEASE } from "@chest/runtime";
export { serve } from "./serve.ts";
