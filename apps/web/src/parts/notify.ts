import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/client.ts";
import { text } from "../i18n/index.ts";

export const notifyDone = (message: string): void => {
  notifications.show({ message, color: "teal" });
};

/** Tells why a change was refused. */
export function notifyFailed(error: unknown): void {
  const { code, message, hint, details } = error instanceof ApiError ? error : new ApiError("", String(error));
  const scope = code === "FORBIDDEN" && typeof details.scope === "string" ? details.scope : undefined;
  const said = scope ? text.problem.forbidden(scope) : code === "OFFLINE" ? text.problem.offline : message;
  notifications.show({
    title: text.problem.failed,
    message: hint && !scope ? `${said} (${hint})` : said,
    color: "red",
    autoClose: 10_000,
  });
}
