import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { text } from "../i18n/index.ts";

/** Head of a column; a number's stands on the right, one without a name over what acts on a row. */
export type Head = string | { readonly number: string } | undefined;

interface TableProps {
  readonly heads: readonly Head[];
  readonly children: ReactNode;
}

/** Table that scrolls sideways where the window is narrow. */
export const Table = ({ heads, children }: TableProps) => (
  <div className="scroll-x">
    <table className="table">
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
  </div>
);

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
