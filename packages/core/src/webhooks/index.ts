export { digestDueAt, toldUntil } from "./digest-hook.ts";
export { type EventCursors, openEventCursors } from "./event-cursor.ts";
export { isInnerAddress } from "./inner-address.ts";
export { EVENT_FIELDS, type EventFilter, readEventQuery, seenEvents, type VisibleEvent } from "./visible-events.ts";
export { openWebhookAdmin, WEBHOOK_FIELDS, type WebhookAdmin } from "./webhook-admin.ts";
