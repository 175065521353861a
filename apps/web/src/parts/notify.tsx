import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { text } from "../i18n/index.ts";
import { fieldErrors, refusalText } from "./refusal.ts";

/** Shows a message that something was done. With `undo`, the message offers to revert it for a while. */
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

const SOON_MS = 500;

/** Tells that a change is being taken back where that takes a while, such as that of thousands, and when it is done. */
export async function notifyUndoing(undone: Promise<unknown>): Promise<void> {
  const id = crypto.randomUUID();
  const soon = setTimeout(
    () =>
      notifications.show({ id, loading: true, message: text.common.undoing, autoClose: false, withCloseButton: false }),
    SOON_MS,
  );
  try {
    await undone;
    notifications.update({ id, loading: false, message: text.common.asItWas, color: "teal", autoClose: 4000 });
  } catch (error) {
    notifications.hide(id);
    notifyFailed(error);
  } finally {
    clearTimeout(soon);
  }
}

/** Shows a message that stays until the user closes it, because it is too long to read at a glance. */
export const notifyUntilClosed = (message: string): void =>
  void notifications.show({ message, color: "teal", autoClose: false });

/** Tells why a change was refused. */
export function notifyFailed(error: unknown): void {
  notifications.show({
    title: text.problem.failed,
    message: refusalText(error),
    color: "red",
    autoClose: 10_000,
  });
}

export interface Refusable {
  getValues(): object;
  setErrors(errors: Readonly<Record<string, string>>): void;
  getInputNode(path: string): HTMLElement | null;
}

/**
 * Shows an error at the fields that it names and focuses the first of them; as a message if it names none.
 * @param names fields of the form by their names in the API, where the two differ
 */
export function refuse(form: Refusable, error: unknown, names: Readonly<Record<string, string>> = {}): void {
  const refused = Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, said]) => [names[field] ?? field, said]),
  );
  const first = Object.keys(form.getValues()).find((name) => name in refused);
  form.setErrors(refused);
  if (first === undefined) notifyFailed(error);
  // The button lost the focus while it was disabled.
  else form.getInputNode(first)?.focus();
}
