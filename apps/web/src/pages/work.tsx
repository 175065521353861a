import { Button, Group, NativeSelect, Stack, Tabs, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { answer, chest } from "../api/client.ts";
import { type Get, queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import { AskReason, Dialog, useTaking } from "../parts/dialog.tsx";
import { nameOf, When } from "../parts/memory-bits.tsx";
import { MemoryPicker } from "../parts/memory-picker.tsx";
import { notifyDone, refuse } from "../parts/notify.tsx";
import { Answer, Nothing, Page } from "../parts/page.tsx";
import { projectChoices } from "../parts/project-names.tsx";
import { TabList } from "../parts/tab-list.tsx";
import { useChange } from "../parts/use-change.ts";
import { memberName } from "../parts/words/member-name.ts";

type Item = Get<"/api/work">["items"][number];

const PRIORITIES = [1, 2, 3] as const;

/** Work that was put off: to be done, closed or dropped. */
export function Work() {
  const { tab } = useSearch({ from: "/work" });
  const navigate = useNavigate({ from: "/work" });
  const isClosed = tab === "closed";
  const { data: me } = useQuery(queries.whoami());
  const canWrite = me?.scopes.includes("write") ?? false;
  return (
    <Page title={text.work.title} lead={text.work.lead} actions={canWrite && <Add />}>
      <Tabs
        value={isClosed ? "closed" : "open"}
        onChange={(name) => void navigate({ search: name === "closed" ? { tab: name } : {}, replace: true })}
        keepMounted={false}
      >
        <TabList>
          <Tabs.Tab value="open">{text.work.tabs.open}</Tabs.Tab>
          <Tabs.Tab value="closed">{text.work.tabs.closed}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="open">
          <Open canWrite={canWrite} />
        </Tabs.Panel>
        <Tabs.Panel value="closed">
          <Closed canWrite={canWrite} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Open({ canWrite }: { readonly canWrite: boolean }) {
  const query = useQuery(queries.work(false));
  return (
    <Answer of={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing>{text.work.empty}</Nothing>
        ) : (
          PRIORITIES.map((priority) => (
            <OfPriority
              key={priority}
              priority={priority}
              items={items.filter((item) => item.priority === priority)}
              withProject={areOfSeveral(items)}
              canWrite={canWrite}
            />
          ))
        )
      }
    </Answer>
  );
}

/** Work that is done or dropped, the last ended first, to be opened anew. */
function Closed({ canWrite }: { readonly canWrite: boolean }) {
  const query = useQuery(queries.work(true));
  return (
    <Answer of={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing>{text.work.noneClosed}</Nothing>
        ) : (
          <ul className="plain-list">
            {items.map((item) => (
              <li key={item.id} className="work-item">
                <ItemText item={item} withProject={areOfSeveral(items)} />
                {canWrite && <Reopen item={item} />}
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

function Reopen({ item: { id } }: { readonly item: Item }) {
  const { change, isPending } = useChange();
  const reopen = () =>
    change({
      run: () => answer(chest.POST("/api/work", { body: { action: "reopen", id } })),
      message: text.work.reopened,
    });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={reopen}
      aria-label={`${text.work.reopen} ${id}`}
    >
      {text.work.reopen}
    </Button>
  );
}

/** Whether the items belong to several projects: with a single project its name is not shown. */
const areOfSeveral = (items: readonly Item[]): boolean => new Set(items.map(({ project }) => project)).size > 1;

interface ItemTextProps {
  readonly item: Item;
  readonly withProject: boolean;
}

/** Text of an item, and what is known of it. */
function ItemText({ item, withProject }: ItemTextProps) {
  const { status, reason, memory_id: memory, closed_at: closedAt } = item;
  return (
    <div>
      <b className="break" dir="auto">
        {item.title}
      </b>
      {item.detail !== undefined && (
        <p className="stored lead" dir="auto">
          {item.detail}
        </p>
      )}
      {reason !== undefined && (
        <p className="stored lead" dir="auto">
          {reason}
        </p>
      )}
      <span className="meta">
        {status !== "open" && <span className="chip">{nameOf(text.work.statuses, status)}</span>}
        <span>{item.id}</span>
        <span>{memberName(item.author)}</span>
        {withProject && item.project !== undefined && <bdi>{item.project}</bdi>}
        {closedAt === undefined ? <span>{text.work.age(item.age_days)}</span> : <When at={closedAt} />}
        {memory !== undefined && (
          <Link to="/memories/$id" params={{ id: String(memory) }}>
            {text.memory.title(memory)}
          </Link>
        )}
        {item.files.map((path) => (
          <Link key={path} to="/files" search={{ path }}>
            {path}
          </Link>
        ))}
      </span>
    </div>
  );
}

interface OfPriorityProps {
  readonly priority: number;
  readonly items: readonly Item[];
  readonly withProject: boolean;
  readonly canWrite: boolean;
}

function OfPriority({ priority, items, withProject, canWrite }: OfPriorityProps) {
  if (items.length === 0) return null;
  return (
    <section className="day">
      <Title order={2} className="day-name">
        {nameOf(text.work.priorities, String(priority))} <span className="lead">{number(items.length)}</span>
      </Title>
      <ul className="plain-list">
        {items.map((item) => (
          <li key={item.id} className="work-item">
            <ItemText item={item} withProject={withProject} />
            {canWrite && <End item={item} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Closes an item, with the memory that tells how it was done, or drops it with a reason. */
function End({ item: { id, title } }: { readonly item: Item }) {
  const [action, setAction] = useState<"close" | "drop">();
  const { attempt } = useChange();
  const end = (how: "close" | "drop", more: { readonly reason?: string; readonly memory_id?: number }) =>
    attempt({
      run: () => answer(chest.POST("/api/work", { body: { action: how, id, ...more } })),
      message: how === "close" ? text.work.closed : text.work.dropped,
      undo: () => answer(chest.POST("/api/work", { body: { action: "reopen", id } })),
    });
  const named = (
    <p className="break">
      <bdi>{title}</bdi>
    </p>
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setAction("close")}
        aria-label={`${text.work.close} ${id}`}
      >
        {text.work.close}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => setAction("drop")}
        aria-label={`${text.work.drop} ${id}`}
      >
        {text.work.drop}
      </Button>
      {action === "drop" && (
        <AskReason
          title={text.work.drop}
          label={text.work.whyDrop}
          lead={named}
          close={() => setAction(undefined)}
          take={(reason) => end("drop", { reason })}
        />
      )}
      {action === "close" && (
        <CloseItem close={() => setAction(undefined)} take={(memory) => end("close", memory)}>
          {named}
        </CloseItem>
      )}
    </Group>
  );
}

interface CloseItemProps {
  readonly children: ReactNode;
  close(): void;
  take(memory: { readonly memory_id?: number }): Promise<unknown>;
}

function CloseItem({ children, close, take }: CloseItemProps) {
  const form = useForm<{ readonly memory_id: number | undefined }>({
    mode: "controlled",
    initialValues: { memory_id: undefined },
  });
  const { taken, isPending } = useTaking(form, close);
  return (
    <Dialog title={text.work.close} close={close}>
      <form onSubmit={form.onSubmit(({ memory_id }) => taken(take(memory_id === undefined ? {} : { memory_id })))}>
        <Stack>
          {children}
          <MemoryPicker
            label={text.work.toldBy}
            value={form.getValues().memory_id}
            error={form.errors.memory_id}
            onChange={(id) => form.setValues({ memory_id: id })}
          />
          <Group justify="end">
            <Button type="submit" loading={isPending}>
              {text.work.close}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Add() {
  const [isOpen, setOpen] = useState(false);
  const { data: known } = useQuery({ ...queries.projects(), enabled: isOpen });
  const queryClient = useQueryClient();
  const form = useForm({
    mode: "controlled",
    initialValues: { title: "", detail: "", priority: "2", project: "" },
  });
  const add = useMutation({
    mutationFn: ({ title, detail, priority, project }: typeof form.values) => {
      const body = {
        ...{ action: "add" as const, title: title.trim(), priority: Number(priority) },
        ...(detail.trim() === "" ? {} : { detail: detail.trim() }),
        ...(project === "" ? {} : { project }),
      };
      return answer(chest.POST("/api/work", { body }));
    },
    onSuccess() {
      notifyDone(text.work.added);
      setOpen(false);
      form.setValues({ title: "", detail: "" });
      return queryClient.invalidateQueries({ queryKey: ["memories"] });
    },
    onError: (error) => refuse(form, error),
  });
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {text.work.add}
      </Button>
      <Dialog title={text.work.add} isOpen={isOpen} close={() => setOpen(false)}>
        <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
          <Stack>
            <TextInput
              label={text.work.what}
              {...form.getInputProps("title")}
              maxLength={200}
              required
              data-autofocus
            />
            <Textarea
              label={text.common.details}
              {...form.getInputProps("detail")}
              maxLength={2000}
              autosize
              minRows={2}
            />
            <Group grow>
              <NativeSelect
                label={text.work.priority}
                {...form.getInputProps("priority")}
                data={PRIORITIES.map((value) => ({
                  value: String(value),
                  label: nameOf(text.work.priorities, String(value)),
                }))}
              />
              <NativeSelect
                label={text.memory.project}
                {...form.getInputProps("project")}
                data={[{ value: "", label: text.work.wholeTeam }, ...projectChoices(known?.projects)]}
              />
            </Group>
            <Group justify="end">
              <Button type="submit" loading={add.isPending} disabled={form.values.title.trim() === ""}>
                {text.work.add}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
