import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { text } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly question: ReactNode;
  /** True if the action loses nothing: Enter then confirms it at once. */
  readonly isHarmless?: true;
  /** Word that the user types before a final action. */
  readonly word?: string;
  /** Renders the button that opens the dialog; by default a small red one. */
  readonly children?: (open: () => void) => ReactNode;
  onYes(): void;
}

/** Asks for confirmation before an action that ends, hides or takes long. Enter confirms at once only if nothing is lost. */
export function Confirm({ title, question, isHarmless, word, children, onYes }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const close = () => {
    setOpen(false);
    setTyped("");
  };
  return (
    <>
      {children ? (
        children(() => setOpen(true))
      ) : (
        <Button size="compact-xs" variant="subtle" color="red" onClick={() => setOpen(true)}>
          {title}
        </Button>
      )}
      <Dialog title={title} isOpen={isOpen} close={close}>
        <Stack>
          {typeof question === "string" ? <p>{question}</p> : question}
          {word !== undefined && <TypedWord word={word} value={typed} onChange={setTyped} />}
          <Group justify="end">
            <Button variant="default" onClick={close} data-autofocus={(!isHarmless && word === undefined) || undefined}>
              {text.common.cancel}
            </Button>
            <Button
              {...(isHarmless ? { "data-autofocus": true } : { color: "red" })}
              disabled={word !== undefined && typed.trim() !== word}
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

interface TypedWordProps {
  readonly word: string;
  readonly value: string;
  onChange(typed: string): void;
}

/** Field in which the user types the word that confirms a final action. */
export const TypedWord = ({ word, value, onChange }: TypedWordProps) => (
  <TextInput
    label={text.bulk.typeToPurge(word)}
    value={value}
    autoComplete="off"
    data-autofocus
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
