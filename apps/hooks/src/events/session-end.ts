import { deliverAll } from "../deliver.ts";
import type { Act } from "../happening.ts";

export const sessionEnd: Act = (happening) => deliverAll(happening, ["session-end"]);
