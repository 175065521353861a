import type { LinkType } from "@chest/core/memory";
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { updateMemory } from "../../api/changes.ts";
import type { WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf, When } from "../../parts/memory-bits.tsx";
import { MemoryPicker } from "../../parts/memory-picker.tsx";
import { refuse } from "../../parts/notify.tsx";
import { Nothing } from "../../parts/page.tsx";
import { useChange } from "../../parts/use-change.ts";
import { memberName } from "../../parts/words/member-name.ts";

/** Types that people may make; Chest makes others besides. */
const LINK_TYPES = [
  "related_to",
  "depends_on",
  "elaborates",
  "part_of",
  "contradicts",
  "supersedes",
] as const satisfies readonly LinkType[];

interface LinksProps {
  readonly whole: WholeMemory;
  readonly canWrite: boolean;
}

/** Links to and from a memory, each with its note; added here, and taken away. */
export function Links({ whole: { memory, links }, canWrite }: LinksProps) {
  const { change } = useChange();
  const remove = ({ type, direction, note, memory: other }: WholeMemory["links"][number]) => {
    const [from, to] = direction === "to" ? [memory.id, other.id] : [other.id, memory.id];
    const written = `${type}:${to}`;
    change({
      run: () => updateMemory({ memory_id: from, remove_links: [written] }),
      message: text.memory.linkRemoved,
      undo: () => updateMemory({ memory_id: from, add_links: [note === undefined ? written : `${written} ${note}`] }),
    });
  };
  return (
    <>
      {canWrite && memory.state === "live" && <AddLink memory={memory} />}
      {links.length === 0 && <Nothing>{text.memory.noLinks}</Nothing>}
      <ul className="plain-list">
        {links.map((link) => {
          const { type, direction, note, origin, author, created_at: at, memory: other } = link;
          const isTaken = (LINK_TYPES as readonly string[]).includes(type);
          return (
            <li key={`${direction} ${type} ${other.id}`} className="link-row">
              <span className="chip" title={direction === "to" ? text.memory.linkTo : text.memory.linkFrom}>
                {direction === "to" ? `${nameOf(text.linkTypes, type)} →` : `← ${nameOf(text.linkTypes, type)}`}
              </span>
              <div>
                <MemoryLink id={other.id}>{other.title}</MemoryLink>
                {note !== undefined && (
                  <p className="lead stored" dir="auto">
                    {note}
                  </p>
                )}
                <span className="meta">
                  <Layer layer={other.layer} />
                  <bdi>{other.entity.name}</bdi>
                  {other.state !== "live" && <span className="chip">{nameOf(text.states, other.state)}</span>}
                  <span>{origin === "auto" ? text.memory.byItself : text.memory.by(memberName(author))}</span>
                  <When at={at * 1000} />
                </span>
              </div>
              {canWrite && isTaken && (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => remove(link)}>
                  {text.memory.removeLink}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface NewLink {
  readonly type: string;
  readonly to: number | undefined;
  readonly note: string;
}

function AddLink({ memory: { id, version } }: { readonly memory: WholeMemory["memory"] }) {
  const form = useForm<NewLink>({
    mode: "controlled",
    initialValues: { type: LINK_TYPES[0], to: undefined, note: "" },
  });
  const { attempt, isPending } = useChange();
  const add = ({ type, to, note }: NewLink) => {
    const written = `${type}:${to}`;
    attempt({
      run: () => updateMemory({ memory_id: id, add_links: [`${written} ${note}`.trim()], expected_version: version }),
      message: text.memory.linkAdded,
      undo: () => updateMemory({ memory_id: id, remove_links: [written] }),
    }).then(
      () => form.setValues({ to: undefined, note: "" }),
      (error) => refuse(form, error, { add_links: "to" }),
    );
  };
  const { to } = form.getValues();
  return (
    <form className="link-form" onSubmit={form.onSubmit(add)}>
      <NativeSelect
        size="xs"
        label={text.memory.linkType}
        {...form.getInputProps("type")}
        data={LINK_TYPES.map((value) => ({ value, label: nameOf(text.linkTypes, value) }))}
      />
      <MemoryPicker
        label={text.memory.linkedMemory}
        without={id}
        value={to}
        error={form.errors.to}
        onChange={(chosen) => form.setValues({ to: chosen })}
      />
      <TextInput size="xs" label={text.memory.note} maxLength={500} {...form.getInputProps("note")} />
      <Group>
        <Button type="submit" size="xs" disabled={to === undefined} loading={isPending}>
          {text.memory.addLink}
        </Button>
      </Group>
    </form>
  );
}
