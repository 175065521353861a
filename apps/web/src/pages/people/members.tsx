import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answer, chest, PAGE_URL } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { moment, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { refuse } from "../../parts/notify.tsx";
import { Answer } from "../../parts/page.tsx";
import { opennessOf } from "../../parts/project-names.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { useSending } from "../../parts/use-change.ts";
import type { Me } from "../../shell/destinations.ts";
import { MakeToken } from "./make-token.tsx";
import { Secret } from "./secret.tsx";

const BUILT_IN = ["shared", "local"];

/** Members: added, disabled, let in again, and given a link to sign in. */
export function Members({ me }: { readonly me: Me }) {
  const query = useQuery(queries.members());
  const queryClient = useQueryClient();
  const changed = () => queryClient.invalidateQueries({ queryKey: ["people"] });
  const form = useForm({ mode: "controlled", initialValues: { name: "", admin: false } });
  const add = useMutation({
    mutationFn: (body: { readonly name: string; readonly admin: boolean }) =>
      answer(chest.POST("/api/members", { body: body })),
    onError: (error) => refuse(form, error),
    async onSuccess({ name }) {
      form.reset();
      setAdded(name);
      await changed();
    },
  });
  const disable = useSending(
    (member: string) => answer(chest.DELETE("/api/members/{name}", { params: { path: { name: member } } })),
    ["people"],
  );
  const [seeing, setSeeing] = useState<string>();
  const [added, setAdded] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const link = useSending((member: string) => answer(chest.POST("/api/sign-in-links", { body: { member } })));
  return (
    <>
      <form onSubmit={form.onSubmit(({ name, admin }) => add.mutate({ name: name.trim(), admin }))}>
        <Group align="start" mb="md">
          <TextInput
            aria-label={text.people.name}
            placeholder={text.people.name}
            autoComplete="off"
            {...form.getInputProps("name")}
          />
          <Checkbox mt={8} label={text.people.isAdmin} {...form.getInputProps("admin", { type: "checkbox" })} />
          <Button type="submit" loading={add.isPending} disabled={form.getValues().name.trim() === ""}>
            {text.people.addMember}
          </Button>
        </Group>
      </form>
      {added !== undefined && (
        <Alert color="teal" variant="outline" mb="md" role="status">
          <Group justify="space-between">
            {text.people.added(added)}
            {me.scopes.includes("write") && (
              <Button size="compact-sm" onClick={() => setMaking(true)}>
                {text.people.makeToken}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Answer of={query}>
        {({ members }) => (
          <SortedTable
            rows={members}
            keyOf={({ id }) => id}
            wideOnly={[3, 4]}
            columns={[
              {
                head: text.people.name,
                by: ({ name }) => name,
                cell: ({ name }) => (
                  <>
                    {name} {name in text.people.builtIn && <div className="meta">{text.people.builtIn[name]}</div>}
                  </>
                ),
              },
              {
                head: text.people.role,
                by: ({ role }) => role,
                cell: ({ role }) => nameOf(text.people.roles, role),
              },
              {
                head: text.people.status,
                by: ({ status }) => status,
                cell: ({ status }) => nameOf(text.people.statuses, status),
              },
              { head: text.people.since, timeOf: ({ created_at }) => created_at },
              {
                cell: (member) => (
                  <Group gap={4} justify="end" className="row-actions">
                    {member.status === "active" && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() => setSeeing(member.name)}
                        aria-label={`${text.people.sight}: ${text.people.sees(member.name)}`}
                      >
                        {text.people.sight}
                      </Button>
                    )}
                    {!BUILT_IN.includes(member.name) &&
                      (member.status === "active" ? (
                        <>
                          <Button size="compact-xs" variant="default" onClick={() => link.mutate(member.name)}>
                            {text.people.signInLink}
                          </Button>
                          <Confirm
                            title={text.people.disable}
                            question={text.people.disableSure(member.name)}
                            onYes={() => disable.mutate(member.name)}
                          />
                        </>
                      ) : (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => add.mutate({ name: member.name, admin: member.role === "admin" })}
                        >
                          {text.people.letIn}
                        </Button>
                      ))}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Answer>
      <Dialog
        title={seeing === undefined ? undefined : text.people.sees(seeing)}
        isOpen={seeing !== undefined}
        close={() => setSeeing(undefined)}
      >
        {seeing !== undefined && <VisibleRows member={seeing} />}
      </Dialog>
      <Dialog title={text.people.makeToken} isOpen={isMaking} close={() => setMaking(false)}>
        {isMaking && added !== undefined && <MakeToken me={me} member={added} />}
      </Dialog>
      <Dialog title={text.people.signInLink} isOpen={link.data !== undefined} close={() => link.reset()}>
        {link.data && (
          <Stack gap="sm">
            <p>
              {text.people.linkMade(link.data.member)} ({moment(link.data.expires_at, { timeStyle: "short" })})
            </p>
            <Secret value={`${PAGE_URL.href}#/sign-in?link=${link.data.link}`} />
          </Stack>
        )}
      </Dialog>
    </>
  );
}

/** Projects whose memories a member may see, beside those of the team and its own. */
function VisibleRows({ member }: { readonly member: string }) {
  const query = useQuery(queries.projects());
  return (
    <Answer of={query}>
      {({ projects }) => {
        const open = projects.filter(
          // The operator of the machine opens all of them.
          ({ access, members }) => member === "local" || access === "open" || members?.includes(member),
        );
        return (
          <>
            <p>{text.people.seesTeam}</p>
            <p>{text.people.seesProjects(open.length)}</p>
            <ul className="plain-list">
              {open.map(({ key, ...project }) => (
                <li key={key}>
                  <Link to="/search" search={{ project: key }} className="break">
                    {key}
                  </Link>
                  {project.access === "members" && <span className="meta"> {opennessOf(project)}</span>}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Answer>
  );
}
