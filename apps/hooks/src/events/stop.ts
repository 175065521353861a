import type { EventHandler } from "../hook-event.ts";
import { deliverAll } from "../session/deliver.ts";

export const stop: EventHandler = async (eventContext) =>
  eventContext.input.isStopActive ? "again" : deliverAll(eventContext);
