import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NotedPlace } from "../../api/inbox-notes.ts";
import { type InboxNote, type Queue, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { When } from "../../parts/memory-bits.tsx";
import { Form, Problem } from "../../parts/page.tsx";
import { memberName, memberOption } from "../../parts/words/member-name.ts";

/** Whom an item is assigned to, until when it is put off, and why. */
export function NoteLine({ note }: { readonly note: InboxNote | undefined }) {
  if (!note) return null;
  const { assignee, snoozed_until: until = 0, reason, author } = note;
  return (
    <p className="meta">
      {assignee !== undefined && <span className="chip">{text.inbox.assignedTo(memberName(assignee))}</span>}
      {until * 1000 > Date.now() && (
        <span>
          {text.inbox.snoozedUntil} <When at={until * 1000} exact="moment" />
        </span>
      )}
      {reason !== undefined && <span dir="auto">{reason}</span>}
      <span>{text.inbox.notedBy(memberName(author))}</span>
    </p>
  );
}

interface Asking {
  close(): void;
}

interface ReasonFieldProps {
  readonly value: string;
  onChange(value: string): void;
}

const ReasonField = ({ value, onChange }: ReasonFieldProps) => (
  <TextInput
    label={text.common.reason}
    description={text.common.optional}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    maxLength={500}
  />
);

const reasonIn = (reason: string) => (reason.trim() === "" ? {} : { reason: reason.trim() });

interface AssignProps extends Asking {
  readonly queue: Queue;
  readonly places: readonly NotedPlace[];
  take(change: { readonly assignee: string | null; readonly reason?: string }): void;
}

/** Asks to whom items are assigned: of those who may decide the first of them. */
export function Assign({ queue, places, close, take }: AssignProps) {
  const [first] = places;
  const assignees = new Set(places.map(({ note }) => note?.assignee ?? null));
  // Undefined if the items have different assignees.
  const present = assignees.size === 1 ? [...assignees][0] : undefined;
  const [member, setMember] = useState(present ?? null);
  const [reason, setReason] = useState("");
  const { data, error } = useQuery({
    ...queries.deciders(queue, first?.memory_id ?? 0, first?.against),
    enabled: first !== undefined,
  });
  return (
    <Dialog title={text.inbox.assign} close={close}>
      <Form
        onSubmit={() => {
          close();
          take({ assignee: member, ...reasonIn(reason) });
        }}
      >
        <Stack>
          {error && <Problem error={error} />}
          <Select
            label={text.inbox.assignee}
            data={(data?.members ?? []).map(memberOption)}
            value={member}
            onChange={setMember}
            placeholder={text.inbox.nobody}
            nothingFoundMessage={text.palette.nothing}
            searchable
            clearable
          />
          <ReasonField value={reason} onChange={setReason} />
          <Group justify="end">
            <Button type="submit" disabled={member === present && reason.trim() === ""}>
              {text.inbox.assign}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface SnoozeProps extends Asking {
  take(change: { readonly snooze_until: string; readonly reason?: string }): void;
}

/** Asks until when items are put off: for a day, a week, or until the beginning of a day. */
export function Snooze({ close, take }: SnoozeProps) {
  const [day, setDay] = useState("");
  const [reason, setReason] = useState("");
  const until = (snooze_until: string) => {
    close();
    take({ snooze_until, ...reasonIn(reason) });
  };
  return (
    <Dialog title={text.inbox.snooze} close={close}>
      <Form onSubmit={() => until(new Date(`${day}T00:00`).toISOString())}>
        <Stack pt={4}>
          <Group gap="xs">
            <Button variant="default" onClick={() => until("1d")} data-autofocus>
              {text.inbox.forDay}
            </Button>
            <Button variant="default" onClick={() => until("1w")}>
              {text.inbox.forWeek}
            </Button>
          </Group>
          <Group gap="xs" align="end">
            <TextInput
              type="date"
              label={text.inbox.untilDate}
              value={day}
              min={dayAfter(Date.now())}
              onChange={({ currentTarget }) => setDay(currentTarget.value)}
            />
            <Button type="submit" disabled={day === ""}>
              {text.inbox.snooze}
            </Button>
          </Group>
          <ReasonField value={reason} onChange={setReason} />
        </Stack>
      </Form>
    </Dialog>
  );
}

/** The day after a moment, by the clock of this machine, as a field for dates has it. */
function dayAfter(moment: number): string {
  const next = new Date(moment);
  next.setDate(next.getDate() + 1);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${next.getFullYear()}-${two(next.getMonth() + 1)}-${two(next.getDate())}`;
}
