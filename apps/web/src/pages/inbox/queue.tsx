import { Button, Group, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { changeOfMany } from "../../api/change-of-many.ts";
import type { Change } from "../../api/changes.ts";
import { changeOfNote, keepingNotes, type NotedPlace } from "../../api/inbox-notes.ts";
import { type InboxPart, type Queue, readQueue } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import type { useChange } from "../../parts/use-change.ts";
import { Assign, NoteLine, Snooze } from "./notes.tsx";

interface AnyAction<Item> {
  readonly key: string;
  readonly label: string;
  /** Whether it can be done to this one; left out, to any. */
  isFor?(item: Item): boolean;
  /** Runs it for several, after one question. */
  runForAll?(items: readonly Item[]): void;
}

/** Action on an item, with a button and a key: either a change, which can be applied to all items, or a dialog. */
export type Action<Item> =
  | (AnyAction<Item> & { changeOf(item: Item): Change<unknown>; readonly run?: undefined })
  | (AnyAction<Item> & { run(item: Item): void; readonly changeOf?: undefined });

interface Found<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

interface QueueListProps<Item> {
  readonly queue: Queue;
  readonly part: InboxPart;
  /** Reads what waits; by default the items as the queue has them. */
  read?(part: InboxPart): Promise<Found<Item>>;
  /** Places where notes on an item are kept. */
  noted(item: Item): readonly NotedPlace[];
  readonly actions: readonly Action<Item>[];
  readonly canWrite: boolean;
  /** Memory that Enter opens. */
  opens(item: Item): number;
  keyOf(item: Item): string;
  readonly change: ReturnType<typeof useChange>["change"];
  undo(): void;
  readonly children: (item: Item) => ReactNode;
}

/** Queue with one selected item, to which the keys apply. */
export function QueueList<Item>({ read, undo, children, ...rest }: QueueListProps<Item>) {
  const { queue, part } = rest;
  // Registered here and not in the list, because the list disappears with its last item.
  useHotkeys([["u", undo]]);
  const query = useQuery({
    queryKey: ["memories", "inbox", queue, part],
    queryFn: () => (read ? read(part) : (readQueue(queue, part) as Promise<Found<Item>>)),
  });
  return (
    <Answer of={query}>
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

type ItemsProps<Item> = Omit<QueueListProps<Item>, "read" | "undo"> & { readonly items: readonly Item[] };

/** Items for which a dialog is open. */
interface OpenDialog<Item> {
  readonly what: "assign" | "snooze";
  readonly items: readonly Item[];
}

/** Actions for any queue: assigning an item, and putting it off or waking it. */
function noteActions<Item>(
  { queue, part, noted }: Pick<ItemsProps<Item>, "noted" | "part" | "queue">,
  ask: (request: OpenDialog<Item>) => void,
): Action<Item>[] {
  const asking = (what: OpenDialog<Item>["what"]) => ({
    run: (item: Item) => ask({ what, items: [item] }),
    runForAll: (items: readonly Item[]) => ask({ what, items }),
  });
  return [
    { key: "t", label: text.inbox.assign, ...asking("assign") },
    part === "snoozed"
      ? {
          key: "s",
          label: text.inbox.wake,
          changeOf: (item) => changeOfNote(queue, noted(item), { snooze_until: null }, text.inbox.awake),
        }
      : { key: "s", label: text.inbox.snooze, ...asking("snooze") },
  ];
}

function Items<Item>(props: ItemsProps<Item>) {
  const { items, canWrite, opens, keyOf, queue, noted, children } = props;
  const [dialog, setDialog] = useState<OpenDialog<Item>>();
  const actions = [...props.actions.map((action) => undoingNotes(action, props)), ...noteActions(props, setDialog)];
  const { change } = props;
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
          <NoteLine note={noted(item).find(({ note }) => note !== undefined)?.note} />
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
      {dialog?.what === "assign" && (
        <Assign
          queue={queue}
          places={dialog.items.flatMap(noted)}
          close={() => setDialog(undefined)}
          take={({ assignee, ...more }) =>
            change(
              changeOfNote(
                queue,
                dialog.items.flatMap(noted),
                { assignee, ...more },
                assignee === null ? text.inbox.released : text.inbox.assignedTo(assignee),
              ),
            )
          }
        />
      )}
      {dialog?.what === "snooze" && (
        <Snooze
          close={() => setDialog(undefined)}
          take={(input) => change(changeOfNote(queue, dialog.items.flatMap(noted), input, text.inbox.snoozed))}
        />
      )}
    </>
  );
}

/** An action whose undo also brings the note of its item back. */
const undoingNotes = <Item,>(
  action: Action<Item>,
  { queue, noted }: Pick<ItemsProps<Item>, "noted" | "queue">,
): Action<Item> => {
  const { changeOf } = action;
  return changeOf ? { ...action, changeOf: (item) => keepingNotes(queue, noted(item), changeOf(item)) } : action;
};

const isOpenTo = <Item,>({ isFor }: AnyAction<Item>, item: Item): boolean => isFor?.(item) ?? true;

/** Decides all items that are shown, in one change and with one undo. */
function AllOfThese<Item>({
  items,
  actions,
  change,
}: Pick<ItemsProps<Item>, "actions" | "change" | "items">): ReactNode {
  const forAll = items.length > 1 ? actions.filter(({ runForAll }) => runForAll) : [];
  const decisions = actions.flatMap((action) => {
    const { key, label, changeOf } = action;
    const chosen = changeOf ? items.filter((item) => isOpenTo(action, item)) : [];
    return changeOf && chosen.length > 1
      ? [{ key, label, changes: () => chosen.map(changeOf), count: chosen.length }]
      : [];
  });
  if (decisions.length === 0 && forAll.length === 0) return null;
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
      {forAll.map(
        ({ key, label, runForAll }) =>
          runForAll && (
            <Button
              key={key}
              size="compact-sm"
              variant="subtle"
              onClick={() => runForAll(items)}
              aria-label={`${text.inbox.allOfThese} ${label}`}
            >
              {label} ({number(items.length)})
            </Button>
          ),
      )}
    </Group>
  );
}
