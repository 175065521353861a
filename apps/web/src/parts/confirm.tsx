import { Button, Group, Modal, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { text } from "../i18n/index.ts";

interface ConfirmProps {
  readonly title: string;
  readonly question: string;
  /** Nothing is lost by it. */
  readonly isHarmless?: true;
  /** Draws what opens the question. */
  readonly children: (open: () => void) => ReactNode;
  onYes(): void;
}

/** Asks before something that ends, hides or takes long. */
export function Confirm({ title, question, isHarmless, children, onYes }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      {children(() => setOpen(true))}
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": text.common.close }}>
        <Stack>
          <p>{question}</p>
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {text.common.cancel}
            </Button>
            <Button
              {...(isHarmless ? {} : { color: "red" })}
              data-autofocus
              onClick={() => {
                close();
                onYes();
              }}
            >
              {title}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
