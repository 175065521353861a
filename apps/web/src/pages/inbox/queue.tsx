import { Button, Group, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { changeOfMany } from "../../api/change-of-many.ts";
import type { Change, useChange } from "../../api/changes.ts";
import { readView, type ViewName } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";

const MOST = 50;

interface AnyAction<Item> {
  readonly key: string;
  readonly label: string;
  /** Whether it can be done to this one; left out, to any. */
  isFor?(item: Item): boolean;
}

/** Settles an item, by a button and by its key: as a change, which can be made to all of them, or after a question. */
export type Action<Item> =
  | (AnyAction<Item> & { changeOf(item: Item): Change<unknown>; readonly run?: undefined })
  | (AnyAction<Item> & { run(item: Item): void; readonly changeOf?: undefined });

interface QueueListProps<Item> {
  readonly view: ViewName;
  /** Reads what waits, where that is not the view as it is. */
  read?(): Promise<{ readonly items: readonly Item[]; readonly total: number }>;
  readonly actions: readonly Action<Item>[];
  readonly canWrite: boolean;
  /** Memory that Enter opens. */
  opens(item: Item): number;
  keyOf(item: Item): string;
  readonly change: ReturnType<typeof useChange>["change"];
  undo(): void;
  readonly children: (item: Item) => ReactNode;
}

/** Queue with one item at hand, which the keys act upon. */
export function QueueList<Item>({ view, read, undo, children, ...rest }: QueueListProps<Item>) {
  // Here, since the last item of a queue takes the list with it.
  useHotkeys([["u", undo]]);
  const asked = useQuery({
    queryKey: ["memories", "inbox", view],
    queryFn: read ?? (() => readView<Item>(view, { project: "*", limit: MOST })),
  });
  return (
    <Answer of={asked}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Nothing>{text.inbox.empty}</Nothing>
        ) : (
          <>
            <Items {...rest} items={items}>
              {children}
            </Items>
            {total > items.length && <p className="lead">{text.inbox.further(total - items.length)}</p>}
          </>
        )
      }
    </Answer>
  );
}

type ItemsProps<Item> = Omit<QueueListProps<Item>, "view" | "read" | "undo"> & { readonly items: readonly Item[] };

function Items<Item>({ items, actions, canWrite, opens, keyOf, change, children }: ItemsProps<Item>) {
  const [place, setPlace] = useState(0);
  const navigate = useNavigate();
  const at = Math.min(place, items.length - 1);
  const active = items[at];
  const take = ({ changeOf, run }: Action<Item>, item: Item) => (changeOf ? change(changeOf(item)) : run(item));
  const move = (by: number) => setPlace(Math.max(0, Math.min(items.length - 1, at + by)));
  useEffect(() => {
    document.querySelector(".group[data-active]")?.scrollIntoView({ block: "nearest" });
  });
  useHotkeys([
    ["j", () => move(1)],
    ["k", () => move(-1)],
    ["o", () => void (active && navigate({ to: "/memories/$id", params: { id: String(opens(active)) } }))],
    ...(canWrite ? actions : []).map((action): [string, () => void] => [
      action.key,
      () => active && isOpenTo(action, active) && take(action, active),
    ]),
  ]);
  return (
    <>
      <p className="lead keys" aria-hidden="true">
        <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> {text.inbox.move} <Kbd size="xs">o</Kbd> {text.inbox.open}{" "}
        {canWrite && (
          <>
            <Kbd size="xs">u</Kbd> {text.common.undo}
          </>
        )}{" "}
        · {number(at + 1)}/{number(items.length)}
      </p>
      {canWrite && <AllOfThese items={items} actions={actions} change={change} />}
      {items.map((item, index) => (
        <section
          key={keyOf(item)}
          className="card group"
          data-active={index === at || undefined}
          aria-current={index === at || undefined}
        >
          {children(item)}
          {canWrite && (
            <Group gap="xs" mt="sm">
              {actions
                .filter((action) => isOpenTo(action, item))
                .map((action) => (
                  <Button
                    key={action.key}
                    size="compact-sm"
                    variant="default"
                    onClick={() => take(action, item)}
                    rightSection={<Kbd size="xs">{action.key}</Kbd>}
                  >
                    {action.label}
                  </Button>
                ))}
            </Group>
          )}
        </section>
      ))}
    </>
  );
}

const isOpenTo = <Item,>({ isFor }: AnyAction<Item>, item: Item): boolean => isFor?.(item) ?? true;

/** Decides all items that are shown, in one change and with one undo. */
function AllOfThese<Item>({
  items,
  actions,
  change,
}: Pick<ItemsProps<Item>, "actions" | "change" | "items">): ReactNode {
  const decisions = actions.flatMap((action) => {
    const { key, label, changeOf } = action;
    const chosen = changeOf ? items.filter((item) => isOpenTo(action, item)) : [];
    return changeOf && chosen.length > 1
      ? [{ key, label, changes: () => chosen.map(changeOf), count: chosen.length }]
      : [];
  });
  if (decisions.length === 0) return null;
  return (
    <Group gap="xs" mb="sm">
      <span className="lead">{text.inbox.allOfThese}</span>
      {decisions.map(({ key, label, changes, count }) => (
        <Confirm
          key={key}
          title={label}
          question={text.inbox.decideAll(label, count)}
          onYes={() => change(changeOfMany(changes(), text.inbox.decided))}
        >
          {(open) => (
            <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`${text.inbox.allOfThese} ${label}`}>
              {label} ({number(count)})
            </Button>
          )}
        </Confirm>
      ))}
    </Group>
  );
}
