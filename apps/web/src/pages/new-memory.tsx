import type { EntityKind } from "@chest/core/memory";
import { Button, Group, NativeSelect, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getHotkeyHandler } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { remember } from "../api/changes.ts";
import { type Category, queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { draftOf } from "../parts/drafts.ts";
import { nameOf } from "../parts/memory-bits.tsx";
import { notifyDone, refuse } from "../parts/notify.tsx";
import { Page } from "../parts/page.tsx";
import { ProjectSelect } from "../parts/project-select.tsx";
import { StatementFields } from "../parts/statement-fields.tsx";
import { Unsaved } from "../parts/unsaved.tsx";
import { VISIBILITIES, type Visibility } from "../parts/visibilities.ts";

/** Fields of a new memory, by the names that the API gives them; `""` where nothing is given. */
interface Fields {
  readonly content: string;
  readonly title: string;
  readonly layer: string;
  readonly category: string;
  readonly entity_name: string;
  readonly entity_kind: string;
  readonly tags: readonly string[];
  readonly visibility: string;
  readonly project: string;
}

/** Writes a memory by hand. The address may bring its beginning: the question that it answers, and its project. */
export function NewMemory() {
  const { data: me } = useQuery(queries.whoami());
  const { title = "", project = "" } = useSearch({ from: "/new" });
  return (
    <Page title={text.newMemory.title} lead={text.newMemory.lead}>
      {me && <NewMemoryForm key={`${title} ${project}`} member={me.member} title={title} project={project} />}
    </Page>
  );
}

function NewMemoryForm({ member, ...given }: { readonly member: string } & Pick<Fields, "title" | "project">) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const begun: Fields = {
    ...{ content: "", layer: "learning", category: "", entity_name: "", entity_kind: "concept", tags: [] },
    visibility: given.project === "" ? "team" : "project",
    ...given,
  };
  const draft = useMemo(
    () => draftOf<Fields>(member, `new ${given.title} ${given.project}`),
    [member, given.title, given.project],
  );
  const [kept] = useState(draft.read);
  const form = useForm<Fields>({ mode: "controlled", initialValues: kept ?? begun });
  const values = form.getValues();
  const isDirty = values.content.trim() !== "";
  useEffect(() => {
    if (isDirty) draft.keep(values);
    else draft.drop();
  }, [draft, values, isDirty]);
  const save = useMutation({
    mutationFn: () => remember(bodyOf(form.getValues())),
    async onSuccess({ action }) {
      draft.drop();
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
      notifyDone(action === "duplicate" || action === "merged" ? text.newMemory.known : text.newMemory.saved);
    },
    onError: (error) => refuse(form, error),
  });
  // Leaves the page only after the saved state is rendered, because the page asks before it is left until then.
  const id = save.data?.memory_id;
  useEffect(() => {
    if (save.isSuccess && id !== undefined)
      void navigate({ to: "/memories/$id", params: { id: String(id) }, replace: true });
  }, [save.isSuccess, id, navigate]);
  const submit = () => {
    if (!save.isPending && isDirty) save.mutate();
  };
  const field = form.getInputProps;
  return (
    <form onSubmit={form.onSubmit(submit)} onKeyDown={getHotkeyHandler([["mod+Enter", submit]])} className="reading">
      <Unsaved isDirty={isDirty && !save.isSuccess} discard={draft.drop} />
      <Stack gap="sm">
        <StatementFields description={text.newMemory.contentHint} mayHaveNoCategory field={field} />
        <Group grow align="end">
          <TextInput
            label={text.memory.entity}
            description={text.newMemory.subjectHint}
            {...field("entity_name")}
            maxLength={200}
          />
          <NativeSelect
            label={text.newMemory.subjectKind}
            {...field("entity_kind")}
            data={Object.entries(text.kinds).map(([value, label]) => ({ value, label }))}
          />
        </Group>
        <Group grow align="start">
          <ProjectSelect
            label={text.memory.project}
            error={form.errors.project}
            value={values.project}
            onChange={(project) => form.setFieldValue("project", project ?? "")}
          />
          <NativeSelect
            label={text.memory.visibility}
            {...field("visibility")}
            data={VISIBILITIES.map((value) => ({ value, label: nameOf(text.memory.visibilities, value) }))}
          />
        </Group>
        <TagsInput
          label={text.memory.tags}
          placeholder={text.memory.addTag}
          value={[...values.tags]}
          onChange={(tags) => form.setFieldValue("tags", tags)}
          error={form.errors.tags}
        />
        <Group justify="end">
          <span className="lead keys">Ctrl Enter</span>
          <Button variant="default" onClick={() => router.history.back()}>
            {text.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {text.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Arguments of the call that stores it: a field without a value is left out. */
function bodyOf({ content, layer, tags, visibility, ...fields }: Fields): Parameters<typeof remember>[0] {
  const { title, category, entity_name, entity_kind, project } = fields;
  return {
    ...{ content, layer, tags: [...tags], visibility: visibility as Visibility },
    ...(title.trim() !== "" && { title }),
    ...(category !== "" && { category: category as Category }),
    ...(entity_name.trim() !== "" && { entity_name, entity_kind: entity_kind as EntityKind }),
    ...(project !== "" && { project }),
  };
}
