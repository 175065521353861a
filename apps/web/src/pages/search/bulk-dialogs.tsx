import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { type Hit, LAYERS } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { TypedWord } from "../../parts/confirm.tsx";
import { Dialog, useTaking } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { ProjectSelect } from "../../parts/project-select.tsx";
import { VISIBILITIES, type Visibility } from "../../parts/visibilities.ts";
import { ownTitle } from "../../parts/words/own-title.ts";

const [MOST_PREVIEWED, MOST_QUOTED] = [5, 120] as const;

interface AskProps {
  readonly title: string;
  readonly chosen: readonly Hit[];
  readonly lead?: string;
  /** Stands above the buttons. */
  readonly field?: ReactNode;
  readonly children: ReactNode;
  close(): void;
}

/** Asks before many are changed, and shows which. */
export const Ask = ({ title, chosen, lead, field, close, children }: AskProps) => (
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
      {field}
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
  take(value: Value): Promise<unknown>;
}

interface AskOneProps<Value> extends AskForProps<Value> {
  readonly title: string;
  readonly lead?: string;
  /** Name that the API gives the field. */
  readonly api: string;
  readonly initial: Value;
  readonly submit?: string;
  isGiven?(value: Value): boolean;
  /** Draws the field, with its value, its change and its error. */
  field(props: { readonly value: Value; onChange(input: unknown): void; readonly error?: ReactNode }): ReactNode;
}

/** Asks for one value before many are changed. A refusal stands at its field. */
function AskOne<Value>({ api, initial, submit = text.common.save, field, isGiven, take, ...ask }: AskOneProps<Value>) {
  const form = useForm<{ readonly value: Value }>({ mode: "controlled", initialValues: { value: initial } });
  const { taken, isPending } = useTaking(form, ask.close, { [api]: "value" });
  const { value } = form.getValues();
  const { onChange, error } = form.getInputProps("value");
  return (
    <Ask {...ask}>
      <form onSubmit={form.onSubmit(() => taken(take(value)))}>
        <Group align="end">
          {field({ value, onChange, error })}
          <Button type="submit" loading={isPending} disabled={isGiven?.(value) === false}>
            {submit}
          </Button>
        </Group>
      </form>
    </Ask>
  );
}

export const AskTag = ({ take, ...ask }: AskForProps) => (
  <AskOne
    {...ask}
    title={text.memory.addTag}
    api="add_tags"
    initial=""
    isGiven={(tag) => tag.trim() !== ""}
    take={(tag) => take(tag.trim())}
    field={(props) => <TextInput label={text.memory.tags} maxLength={64} required {...props} />}
  />
);

export const AskLayer = (ask: AskForProps) => (
  <AskOne
    {...ask}
    title={text.memory.layer}
    api="layer"
    initial={LAYERS[0] as string}
    field={(props) => (
      <NativeSelect
        aria-label={text.memory.layer}
        data={LAYERS.map((value) => ({ value, label: nameOf(text.layers, value) }))}
        {...props}
      />
    )}
  />
);

/** Asks who may read the chosen memories. Their author shares them further; others may be refused. */
export const AskVisibility = (ask: AskForProps<Visibility>) => (
  <AskOne<Visibility>
    {...ask}
    title={text.memory.changeVisibility}
    lead={text.bulk.authorMoves}
    api="visibility"
    initial="project"
    field={(props) => (
      <NativeSelect
        aria-label={text.memory.visibility}
        data={VISIBILITIES.map((value) => ({ value, label: nameOf(text.memory.visibilities, value) }))}
        {...props}
      />
    )}
  />
);

export const AskProject = ({ take, ...ask }: AskForProps) => (
  <AskOne<string | null>
    {...ask}
    title={text.bulk.moveTitle}
    lead={text.bulk.authorMoves}
    api="to_project"
    initial={null}
    submit={text.bulk.move}
    isGiven={(project) => project !== null}
    take={(project) => take(project ?? "")}
    field={(props) => <ProjectSelect {...props} />}
  />
);

export function AskPurge({ chosen, close, take }: Omit<AskForProps, "take"> & { take(): void }) {
  const [word, setWord] = useState("");
  return (
    <Ask
      title={text.memory.purge}
      chosen={chosen}
      lead={text.memory.purgeSure}
      close={close}
      field={<TypedWord word={text.bulk.purgeWord} value={word} onChange={setWord} />}
    >
      <Button color="red" disabled={word.trim() !== text.bulk.purgeWord} onClick={take}>
        {text.memory.purge}
      </Button>
    </Ask>
  );
}
