import type { Act } from "../hook-event.ts";
import { deliverAll } from "../session/deliver.ts";

export const stop: Act = async (happening) => (happening.input.isStopActive ? "again" : deliverAll(happening));
