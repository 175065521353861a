import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type Hit, LAYERS } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { ownTitle } from "../../parts/own-title.ts";
import { ProjectSelect } from "../../parts/project-select.tsx";
import { readVisibility, VISIBILITIES, type Visibility } from "../../parts/visibilities.ts";

const [MOST_PREVIEWED, MOST_QUOTED] = [5, 120] as const;

interface AskProps {
  readonly title: string;
  readonly chosen: readonly Hit[];
  readonly lead?: string;
  readonly children: ReactNode;
  close(): void;
}

/** Asks before many are changed, and shows which. */
export const Ask = ({ title, chosen, lead, close, children }: AskProps) => (
  <Dialog title={`${title} · ${text.bulk.chosen(chosen.length)}`} close={close}>
    <Stack gap="sm">
      {lead !== undefined && <p>{lead}</p>}
      <ul className="plain-list quoted">
        {chosen.slice(0, MOST_PREVIEWED).map((hit) => (
          <li key={hit.id} className="clamp1" dir="auto">
            {(ownTitle(hit) ?? hit.content).slice(0, MOST_QUOTED)}
          </li>
        ))}
        {chosen.length > MOST_PREVIEWED && <li>+{number(chosen.length - MOST_PREVIEWED)}</li>}
      </ul>
      <Group justify="end" align="end">
        <Button variant="default" onClick={close}>
          {text.common.cancel}
        </Button>
        {children}
      </Group>
    </Stack>
  </Dialog>
);

interface AskForProps<Value = string> {
  readonly chosen: readonly Hit[];
  close(): void;
  take(value: Value): void;
}

export function AskTag({ chosen, close, take }: AskForProps) {
  const [tag, setTag] = useState("");
  return (
    <Ask title={text.memory.addTag} chosen={chosen} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(tag.trim());
        }}
      >
        <Group align="end">
          <TextInput
            label={text.memory.tags}
            value={tag}
            maxLength={64}
            required
            onChange={({ currentTarget }) => setTag(currentTarget.value)}
          />
          <Button type="submit" disabled={tag.trim() === ""}>
            {text.common.save}
          </Button>
        </Group>
      </form>
    </Ask>
  );
}

export function AskLayer({ chosen, close, take }: AskForProps) {
  const [layer, setLayer] = useState<string>(LAYERS[0]);
  return (
    <Ask title={text.memory.layer} chosen={chosen} close={close}>
      <NativeSelect
        aria-label={text.memory.layer}
        value={layer}
        onChange={({ currentTarget }) => setLayer(currentTarget.value)}
        data={LAYERS.map((value) => ({ value, label: nameOf(text.layers, value) }))}
      />
      <Button onClick={() => take(layer)}>{text.common.save}</Button>
    </Ask>
  );
}

/** Asks who may read the chosen memories. Their author shares them further; others may be refused. */
export function AskVisibility({ chosen, close, take }: AskForProps<Visibility>) {
  const [visibility, setVisibility] = useState<Visibility>("project");
  return (
    <Ask title={text.memory.changeVisibility} chosen={chosen} lead={text.bulk.authorMoves} close={close}>
      <NativeSelect
        aria-label={text.memory.visibility}
        value={visibility}
        onChange={({ currentTarget }) => setVisibility(readVisibility(currentTarget.value))}
        data={VISIBILITIES.map((value) => ({ value, label: nameOf(text.memory.visibilities, value) }))}
      />
      <Button onClick={() => take(visibility)}>{text.common.save}</Button>
    </Ask>
  );
}

export function AskProject({ chosen, close, take }: AskForProps) {
  const [project, setProject] = useState<string | null>(null);
  return (
    <Ask title={text.bulk.moveTitle} chosen={chosen} lead={text.bulk.authorMoves} close={close}>
      <ProjectSelect value={project} onChange={setProject} />
      <Button disabled={project === null} onClick={() => project !== null && take(project)}>
        {text.bulk.move}
      </Button>
    </Ask>
  );
}

export function AskPurge({ chosen, close, take }: Omit<AskForProps, "take"> & { take(): void }) {
  const [word, setWord] = useState("");
  return (
    <Ask title={text.memory.purge} chosen={chosen} lead={text.memory.purgeSure} close={close}>
      <TextInput
        label={text.bulk.typeToPurge(text.bulk.purgeWord)}
        value={word}
        autoComplete="off"
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
      />
      <Button color="red" disabled={word.trim() !== text.bulk.purgeWord} onClick={take}>
        {text.memory.purge}
      </Button>
    </Ask>
  );
}
