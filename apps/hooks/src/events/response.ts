import type { EventHandler } from "../hook-event.ts";

/** Only recorded: an agent's message during a turn is delivered at the end of the turn. */
export const response: EventHandler = async ({ mayNote }) => (mayNote ? "noted" : "not_noted");
