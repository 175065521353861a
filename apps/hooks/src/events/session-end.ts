import type { EventHandler } from "../hook-event.ts";
import { deliverAll } from "../session/deliver.ts";

export const sessionEnd: EventHandler = (eventContext) => deliverAll(eventContext, ["session-end"]);
