import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { text } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly question: ReactNode;
  /** Nothing is lost by it. */
  readonly isHarmless?: true;
  /** Draws what opens the question. */
  readonly children: (open: () => void) => ReactNode;
  onYes(): void;
}

/** Asks before something that ends, hides or takes long. Enter at once does it only where nothing is lost. */
export function Confirm({ title, question, isHarmless, children, onYes }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      {children(() => setOpen(true))}
      <Dialog title={title} isOpen={isOpen} close={close}>
        <Stack>
          {typeof question === "string" ? <p>{question}</p> : question}
          <Group justify="end">
            <Button variant="default" onClick={close} data-autofocus={!isHarmless || undefined}>
              {text.common.cancel}
            </Button>
            <Button
              {...(isHarmless ? { "data-autofocus": true } : { color: "red" })}
              onClick={() => {
                close();
                onYes();
              }}
            >
              {title}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
