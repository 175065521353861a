import { Button, Group, MultiSelect, SegmentedControl, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answer, chest } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { CopyCode } from "../../parts/copy-code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { refuse } from "../../parts/notify.tsx";
import { Answer, NothingYet } from "../../parts/page.tsx";
import { opennessOf, type Project } from "../../parts/project-names.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { Parted } from "../../parts/words/parted.tsx";

/** Projects that this member may open, and for admins who else may. */
export function Projects({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = useQuery(queries.projects());
  const [changing, setChanging] = useState<Project>();
  return (
    <>
      <Answer of={query}>
        {({ projects }) =>
          projects.length === 0 ? (
            <NothingYet>{text.people.noProjects}</NothingYet>
          ) : (
            <SortedTable
              rows={projects}
              keyOf={({ key }) => key}
              columns={[
                {
                  head: text.people.key,
                  by: ({ key }) => key,
                  cell: (project: Project) => (
                    <>
                      <Link to="/search" search={{ project: project.key }} className="break">
                        <Parted>{project.key}</Parted>
                      </Link>
                      <Keys project={project} />
                    </>
                  ),
                },
                {
                  head: text.people.access,
                  by: (project: Project) => opennessOf(project),
                },
                {
                  cell: (project: Project) =>
                    isAdmin && (
                      <Group justify="end">
                        <Button size="compact-xs" variant="default" onClick={() => setChanging(project)}>
                          {text.people.setAccess}
                        </Button>
                      </Group>
                    ),
                },
              ]}
            />
          )
        }
      </Answer>
      <Dialog title={changing?.key} isOpen={changing !== undefined} close={() => setChanging(undefined)}>
        {changing && <Access key={changing.key} project={changing} close={() => setChanging(undefined)} />}
      </Dialog>
    </>
  );
}

/** Other keys of a project, and the older project that it looks like, with the command that joins them. */
function Keys({ project: { key, aliases = [], similar = [] } }: { readonly project: Project }) {
  const [older] = similar;
  return (
    <>
      {aliases.length > 0 && <div className="meta break">{text.project.also(aliases.join(", "))}</div>}
      {older !== undefined && (
        <div className="meta">
          {text.project.similar(older)}
          <CopyCode>{`chest-index project join ${older} ${key}`}</CopyCode>
        </div>
      )}
    </>
  );
}

function Access({ project, close }: { readonly project: Project; close(): void }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(queries.members());
  const form = useForm<Pick<Project, "access"> & { readonly members: readonly string[] }>({
    mode: "controlled",
    initialValues: { access: project.access, members: project.members ?? [] },
  });
  const { access, members } = form.getValues();
  const save = useMutation({
    mutationFn() {
      const before = project.members ?? [];
      const add = members.filter((name) => !before.includes(name));
      const remove = before.filter((name) => !members.includes(name));
      return answer(chest.POST("/api/projects", { body: { key: project.key, access, add, remove } }));
    },
    onError: (error) => refuse(form, error, { add: "members", remove: "members" }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ["people"] });
      close();
    },
  });
  return (
    <form onSubmit={form.onSubmit(() => save.mutate())}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={text.people.access}
          value={access}
          onChange={(value) => form.setFieldValue("access", value as Project["access"])}
          data={[
            { value: "open", label: text.people.everyone },
            { value: "members", label: text.people.named },
          ]}
        />
        {access === "members" && (
          <MultiSelect
            label={text.people.tabs.members}
            data={[...new Set([...members, ...(data?.members.map(({ name }) => name) ?? [])])]}
            searchable
            nothingFoundMessage={text.palette.nothing}
            value={[...members]}
            error={form.errors.members}
            onChange={(names) => form.setFieldValue("members", names)}
          />
        )}
        <Button type="submit" loading={save.isPending}>
          {text.common.save}
        </Button>
      </Stack>
    </form>
  );
}
