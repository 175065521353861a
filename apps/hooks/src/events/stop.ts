import { deliverAll } from "../deliver.ts";
import type { Act } from "../happening.ts";

export const stop: Act = async (happening) => (happening.input.isStopActive ? "again" : deliverAll(happening));
