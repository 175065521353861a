import { Button, Group, Modal, type ModalProps, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { text } from "../i18n/index.ts";
import { type Refusable, refuse } from "./notify.tsx";

interface DialogProps extends Pick<ModalProps, "size"> {
  readonly title: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
  close(): void;
}

const FIELDS = "input:not([type=hidden]), textarea, select";

/** Focuses the first field of a dialog. The close button, which comes first in the document, would have the focus otherwise. */
function preferFirstField(body: HTMLElement | null): void {
  if (body?.querySelector("[data-autofocus]") === null)
    body.querySelector(FIELDS)?.setAttribute("data-autofocus", "true");
}

/** Dialog over the page. Its first field has the focus, or the element with `data-autofocus`. */
export const Dialog = ({ title, isOpen = true, close, size, children }: DialogProps) => (
  <Modal
    opened={isOpen}
    onClose={close}
    title={title}
    {...(size === undefined ? {} : { size })}
    closeButtonProps={{ "aria-label": text.common.close }}
  >
    <div ref={preferFirstField}>{children}</div>
  </Modal>
);

/**
 * Waits for the request of a dialog's form, then closes the dialog. An error is shown at the field that it names.
 * @param names as in `refuse`
 */
export function useTaking(form: Refusable, close: () => void, names?: Readonly<Record<string, string>>) {
  const [isPending, setPending] = useState(false);
  return {
    isPending,
    async taken(begun: unknown): Promise<void> {
      setPending(true);
      try {
        await begun;
        close();
      } catch (error) {
        refuse(form, error, names);
      } finally {
        setPending(false);
      }
    },
  };
}

interface AskReasonProps {
  /** Title of the dialog, and label of its button. */
  readonly title: string;
  readonly lead?: ReactNode;
  readonly label?: string;
  readonly isOptional?: true;
  close(): void;
  /**
   * Receives the reason, `""` if the user gave none to an optional question. The dialog stays open until the promise resolves.
   */
  take(reason: string): unknown;
}

/** Asks for a reason before something is done. */
export function AskReason({ title, lead, label = text.common.reason, isOptional, close, take }: AskReasonProps) {
  const form = useForm({ mode: "controlled", initialValues: { reason: "" } });
  const { taken, isPending } = useTaking(form, close);
  const given = form.getValues().reason.trim();
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={form.onSubmit(() => taken(take(given)))}>
        <Stack>
          {typeof lead === "string" ? <p>{lead}</p> : lead}
          <TextInput
            label={label}
            description={isOptional && text.common.optional}
            {...form.getInputProps("reason")}
            maxLength={500}
            required={!isOptional}
          />
          <Group justify="end">
            <Button type="submit" loading={isPending} disabled={!isOptional && given === ""}>
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
