import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { text } from "../i18n/index.ts";

/** Head of a column; a number's stands on the right, one without a name over what acts on a row. */
export type Head = string | { readonly number: string } | undefined;

interface TableProps {
  readonly heads: readonly Head[];
  /** Columns that a phone has no room for, counted from 1. */
  readonly wideOnly?: readonly (1 | 2 | 3 | 4 | 5 | 6 | 7)[];
  readonly children: ReactNode;
}

/** Table that scrolls sideways where the window is narrow, by the keyboard as well. */
export const Table = ({ heads, wideOnly = [], children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
  <section className="scroll-x" tabIndex={0} aria-label={namesOf(heads).join(", ")}>
    <table className={["table", ...wideOnly.map((column) => `wide-${column}`)].join(" ")}>
      <thead>
        <tr>
          {heads.map((head, at) => {
            if (head === undefined) return <td key={`actions ${at}`} />;
            const [name, className] = typeof head === "string" ? [head, undefined] : [head.number, "num"];
            return (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

const namesOf = (heads: readonly Head[]): string[] =>
  heads.flatMap((head) => (head === undefined ? [] : typeof head === "string" ? head : head.number));

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Button that asks for the next page, while there is one. */
export function ShowMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { readonly of: Paged }) {
  if (!hasNextPage) return null;
  return (
    <Group justify="center" mt="md">
      <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {text.common.showMore}
      </Button>
    </Group>
  );
}
