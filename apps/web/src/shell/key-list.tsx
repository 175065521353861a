import { Kbd } from "@mantine/core";
import { text } from "../i18n/index.ts";
import { Dialog } from "../parts/dialog.tsx";
import type { Destination } from "./destinations.ts";

interface KeyListProps {
  readonly known: readonly Destination[];
  close(): void;
}

/** All keys of the page. */
export function KeyList({ known, close }: KeyListProps) {
  const { keys } = text;
  const rows = [
    ["/", keys.search],
    ["Ctrl K", text.nav.palette],
    ["c", text.newMemory.title],
    ["j k ↓ ↑", keys.move],
    ["Enter", keys.open],
    ["x", keys.choose],
    ["Shift A", keys.chooseAll],
    ["y", keys.useful],
    ["n", keys.wrong],
    ["e", keys.edit],
    ["Ctrl Enter", keys.save],
    ["Esc", keys.leave],
    ["u", text.common.undo],
    ...known.map(({ key, name }) => [`g ${key}`, name] as const),
  ] as const;
  return (
    <Dialog title={keys.title} close={close}>
      <dl className="facts key-list">
        {rows.map(([names, does]) => (
          <div key={names} className="pair">
            <dt>{does}</dt>
            <dd>
              {names.split(" ").map((name) => (
                <Kbd key={name} size="xs">
                  {name}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
