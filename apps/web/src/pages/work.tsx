import { Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../api/changes.ts";
import { answer, chest } from "../api/client.ts";
import { type Get, queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import { nameOf } from "../parts/memory-bits.tsx";
import { MemoryPicker } from "../parts/memory-picker.tsx";
import { Answer, Nothing, Page } from "../parts/page.tsx";

type Item = Get<"/api/work">["items"][number];

const PRIORITIES = [1, 2, 3] as const;

/** Work that was put off: to be done, closed or dropped. */
export function Work() {
  const asked = useQuery(queries.work());
  const { data: me } = useQuery(queries.whoami());
  const canWrite = me?.scopes.includes("write") ?? false;
  return (
    <Page title={text.work.title} lead={text.work.lead} actions={canWrite && <Add />}>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{text.work.empty}</Nothing>
          ) : (
            PRIORITIES.map((priority) => (
              <OfPriority
                key={priority}
                priority={priority}
                items={items.filter((item) => item.priority === priority)}
                canWrite={canWrite}
              />
            ))
          )
        }
      </Answer>
    </Page>
  );
}

interface OfPriorityProps {
  readonly priority: number;
  readonly items: readonly Item[];
  readonly canWrite: boolean;
}

function OfPriority({ priority, items, canWrite }: OfPriorityProps) {
  if (items.length === 0) return null;
  return (
    <section className="day">
      <Title order={2} className="day-name">
        {nameOf(text.work.priorities, String(priority))} <span className="lead">{number(items.length)}</span>
      </Title>
      <ul className="plain-list">
        {items.map((item) => (
          <li key={item.id} className="work-item">
            <div>
              <b className="break" dir="auto">
                {item.title}
              </b>
              {typeof item.detail === "string" && (
                <p className="stored lead" dir="auto">
                  {item.detail}
                </p>
              )}
              <span className="meta">
                <span>{item.id}</span>
                <span>{item.author}</span>
                <span>{text.work.age(item.age_days)}</span>
                {item.files.map((path) => (
                  <Link key={path} to="/files" search={{ path }}>
                    {path}
                  </Link>
                ))}
              </span>
            </div>
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
  const [reason, setReason] = useState("");
  const [memory, setMemory] = useState<number>();
  const { change } = useChange();
  const end = () => {
    if (!action) return;
    const with_ = action === "drop" ? { reason: reason.trim() } : memory === undefined ? {} : { memory_id: memory };
    setAction(undefined);
    change({
      run: () => answer(chest.POST("/api/work", { body: { action, id, ...with_ } })),
      told: action === "close" ? text.work.closed : text.work.dropped,
    });
  };
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
      <Modal
        opened={action !== undefined}
        onClose={() => setAction(undefined)}
        title={action === "drop" ? text.work.drop : text.work.close}
        closeButtonProps={{ "aria-label": text.common.close }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            end();
          }}
        >
          <Stack>
            <p className="break">
              <bdi>{title}</bdi>
            </p>
            {action === "drop" ? (
              <TextInput
                label={text.work.whyDrop}
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
                maxLength={500}
                required
                data-autofocus
              />
            ) : (
              <MemoryPicker label={text.work.toldBy} value={memory} onChange={setMemory} />
            )}
            <Group justify="end">
              <Button type="submit" disabled={action === "drop" && reason.trim() === ""}>
                {action === "drop" ? text.work.drop : text.work.close}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}

function Add() {
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const [detail, setDetail] = useState("");
  const [priority, setPriority] = useState("2");
  const [project, setProject] = useState("");
  const { data: known } = useQuery({ ...queries.projects(), enabled: isOpen });
  const { change, isPending } = useChange();
  const add = () => {
    const body = {
      ...{ action: "add" as const, title: title.trim(), priority: Number(priority) },
      ...(detail.trim() === "" ? {} : { detail: detail.trim() }),
      ...(project === "" ? {} : { project }),
    };
    change(
      { run: () => answer(chest.POST("/api/work", { body })), told: text.work.added },
      () => {
          setOpen(false);
          setTitle("");
          setDetail("");
      },
    );
  };
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {text.work.add}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={text.work.add}
        closeButtonProps={{ "aria-label": text.common.close }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <Stack>
            <TextInput
              label={text.work.what}
              value={title}
              onChange={({ currentTarget }) => setTitle(currentTarget.value)}
              maxLength={200}
              required
              data-autofocus
            />
            <Textarea
              label={text.common.details}
              value={detail}
              onChange={({ currentTarget }) => setDetail(currentTarget.value)}
              maxLength={2000}
              autosize
              minRows={2}
            />
            <Group grow>
              <NativeSelect
                label={text.work.priority}
                value={priority}
                onChange={({ currentTarget }) => setPriority(currentTarget.value)}
                data={PRIORITIES.map((value) => ({
                  value: String(value),
                  label: nameOf(text.work.priorities, String(value)),
                }))}
              />
              <NativeSelect
                label={text.memory.project}
                value={project}
                onChange={({ currentTarget }) => setProject(currentTarget.value)}
                data={[
                  { value: "", label: text.work.wholeTeam },
                  ...(known?.projects.map(({ key }) => ({ value: key, label: key })) ?? []),
                ]}
              />
            </Group>
            <Group justify="end">
              <Button type="submit" loading={isPending} disabled={title.trim() === ""}>
                {text.work.add}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
