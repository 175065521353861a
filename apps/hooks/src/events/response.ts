import type { EventHandler } from "../hook-event.ts";

/** Only written down: what an agent says in the middle of a turn is told with the rest at its end. */
export const response: EventHandler = async ({ mayNote }) => (mayNote ? "noted" : "not_noted");
