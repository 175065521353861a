import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/client.ts";
import { text } from "../i18n/index.ts";

/** Tells that something was done; with `undo`, for a while, offers to take it back. */
export function notifyDone(message: string, undo?: () => void): void {
  if (!undo) return void notifications.show({ message, color: "teal" });
  const id = crypto.randomUUID();
  const takeBack = () => {
    notifications.hide(id);
    undo();
  };
  notifications.show({
    id,
    color: "teal",
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button size="compact-xs" variant="default" onClick={takeBack}>
          {text.common.undo}
        </Button>
      </Group>
    ),
  });
}

/** Tells what was done until it is closed: more than is read at a glance. */
export const notifyKept = (message: string): void =>
  void notifications.show({ message, color: "teal", autoClose: false });

/** Tells why a change was refused. */
export function notifyFailed(error: unknown): void {
  const { code, message, hint, details } = error instanceof ApiError ? error : new ApiError("", String(error));
  const scope = code === "FORBIDDEN" && typeof details.scope === "string" ? details.scope : undefined;
  const known = { OFFLINE: text.problem.offline, VERSION_CONFLICT: text.problem.changed }[code];
  const said = scope ? text.problem.forbidden(scope) : (known ?? message);
  notifications.show({
    title: text.problem.failed,
    message: hint && !scope && known === undefined ? `${said} (${hint})` : said,
    color: "red",
    autoClose: 10_000,
  });
}
