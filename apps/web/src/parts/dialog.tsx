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

/** Puts the focus of a dialog on its first field; the button that closes it comes first in the document. */
function preferFirstField(body: HTMLElement | null): void {
  if (body?.querySelector("[data-autofocus]") === null)
    body.querySelector(FIELDS)?.setAttribute("data-autofocus", "true");
}

/** Dialog over the page. The focus begins at its first field, or where `data-autofocus` says. */
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
 * Waits for what the form of a dialog began, then closes it; a refusal stands at its field.
 * @param names as of `refuse`
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
  /** Names the dialog and the button that takes the answer. */
  readonly title: string;
  readonly lead?: ReactNode;
  readonly label?: string;
  readonly isOptional?: true;
  close(): void;
  /** Takes the reason; `""` where none was given to an optional question. The dialog stays open until a promise is kept. */
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
