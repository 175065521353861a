import type { Act } from "../hook-event.ts";
import { deliverAll } from "../session/deliver.ts";

export const sessionEnd: Act = (happening) => deliverAll(happening, ["session-end"]);
