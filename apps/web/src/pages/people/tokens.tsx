import { Button, Checkbox, Group, NativeSelect, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, chest, PAGE_URL } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { CopyCode } from "../../parts/copy-code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { notifyFailed, refuse } from "../../parts/notify.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable, timeBy } from "../../parts/sorted-table.tsx";
import type { Me } from "../../shell/destinations.ts";
import { Secret } from "./members.tsx";

const SCOPES = ["read", "write", "operate", "admin"] as const;
const TERMS_DAYS = [30, 90, 365] as const;
const IN_DAYS = { style: "unit", unit: "day", unitDisplay: "long" } as const;
const SOON_MS = 14 * 86_400_000;

/** Tokens: made, shown once, used, ending, revoked. */
export function Tokens({ me }: { readonly me: Me }) {
  const [withRevoked, setWithRevoked] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const asked = useQuery(queries.tokens(withRevoked));
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: number) => answer(chest.DELETE("/api/tokens/{id}", { params: { path: { id: id } } })),
    onError: notifyFailed,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["people"] }),
  });
  const renew = useMutation({
    mutationFn: (id: number) => answer(chest.POST("/api/tokens/{id}/renew", { params: { path: { id } } })),
    onError: notifyFailed,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["people"] }),
  });
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Checkbox
          label={text.people.withRevoked}
          checked={withRevoked}
          onChange={({ currentTarget }) => setWithRevoked(currentTarget.checked)}
        />
        <Button onClick={() => setMaking(true)}>{text.people.makeToken}</Button>
      </Group>
      <Answer of={asked}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <Nothing>{text.people.noTokens}</Nothing>
          ) : (
            <SortedTable
              rows={tokens}
              keyOf={({ id }) => id}
              wideOnly={[4]}
              columns={[
                {
                  head: text.people.of,
                  by: ({ member }) => member,
                  cell: ({ member, id }) => (
                    <>
                      {member} <span className="lead">{id}</span>
                    </>
                  ),
                },
                {
                  head: text.people.label,
                  by: ({ label }) => label ?? undefined,
                  cell: ({ label, projects }) => (
                    <>
                      <bdi>{label}</bdi>
                      {projects && <span className="meta">{projects.join(", ")}</span>}
                    </>
                  ),
                },
                {
                  head: text.people.scopes,
                  by: ({ scopes }) => scopes.length,
                  cell: ({ scopes }) => scopes.join(", "),
                },
                {
                  head: text.people.lastUsed,
                  by: ({ last_used_at: at }) => timeBy(at),
                  cell: ({ last_used_at: at }) => (at ? <When at={at} /> : text.common.never),
                },
                {
                  head: text.people.expires,
                  by: ({ revoked_at, expires_at }) => timeBy(revoked_at ?? expires_at),
                  cell: (token) => <Ends token={token} />,
                },
                {
                  cell: (token) =>
                    token.revoked_at === null && (
                      <Group justify="end">
                        {token.member === me.member && endsLater(token) && (
                          <Button
                            size="compact-xs"
                            variant="subtle"
                            loading={renew.isPending && renew.variables === token.id}
                            onClick={() => renew.mutate(token.id)}
                          >
                            {text.people.renew}
                          </Button>
                        )}
                        <Confirm
                          title={text.people.revoke}
                          question={text.people.revokeSure}
                          onYes={() => revoke.mutate(token.id)}
                        >
                          {(open) => (
                            <Button size="compact-xs" variant="subtle" color="red" onClick={open}>
                              {text.people.revoke}
                            </Button>
                          )}
                        </Confirm>
                      </Group>
                    ),
                },
              ]}
            />
          )
        }
      </Answer>
      <Dialog title={text.people.makeToken} isOpen={isMaking} close={() => setMaking(false)}>
        {isMaking && <MakeToken me={me} />}
      </Dialog>
      <Dialog title={text.people.renew} isOpen={renew.data !== undefined} close={renew.reset}>
        {renew.data && (
          <Stack gap="sm">
            <p>{text.people.renewed}</p>
            <NewToken secret={renew.data.token} />
          </Stack>
        )}
      </Dialog>
    </>
  );
}

/** A secret that is shown once, and how an agent gets it. */
const NewToken = ({ secret }: { readonly secret: string }) => (
  <>
    <p>{text.people.tokenMade}</p>
    <Secret value={secret} />
    <p className="lead">{text.people.tokenUse}</p>
    <CopyCode>{`chest-index setup --docker ${PAGE_URL.href.replace(/\/$/, "")} --token-file FILE`}</CopyCode>
  </>
);

/** Whether a token is valid and has an end: the backend renews no other. */
const endsLater = ({ expires_at }: { readonly expires_at: string | null }): boolean =>
  expires_at !== null && Date.parse(expires_at) > Date.now();

function Ends({
  token: { revoked_at, expires_at },
}: {
  readonly token: { readonly revoked_at: string | null; readonly expires_at: string | null };
}) {
  if (revoked_at !== null) {
    return (
      <>
        {text.people.revoked} <When at={revoked_at} />
      </>
    );
  }
  if (expires_at === null) return text.people.forever;
  const left = Date.parse(expires_at) - Date.now();
  return (
    <>
      <When at={expires_at} exact="day" />{" "}
      {left < SOON_MS && <span className="chip">{left < 0 ? text.people.expired : text.people.soon}</span>}
    </>
  );
}

/** Members of the machine and of the shared token: they have no tokens of their own. */
const BUILT_IN = ["local", "shared"];

interface TokenForm {
  readonly member: string | null;
  readonly label: string;
  readonly scopes: readonly (typeof SCOPES)[number][];
  readonly projects: readonly string[];
  readonly expires: string;
}

function MakeToken({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const isAdmin = me.scopes.includes("admin");
  const { data: known } = useQuery(queries.projects());
  const { data: people } = useQuery({ ...queries.members(), enabled: isAdmin });
  const form = useForm<TokenForm>({
    mode: "controlled",
    initialValues: {
      // Not the admin itself: a token for another member is the usual one, and must be chosen.
      member: isAdmin ? null : me.member,
      label: "",
      scopes: (["read", "write"] as const).filter((scope) => me.scopes.includes(scope)),
      projects: [],
      expires: "90d",
    },
  });
  const make = useMutation({
    mutationFn({ member, scopes, expires, label, projects }: TokenForm) {
      const limit = projects.length === 0 ? {} : { projects: [...projects] };
      const body = { ...(isAdmin && member !== null && { member }), scopes: [...scopes], expires, label, ...limit };
      return answer(chest.POST("/api/tokens", { body }));
    },
    onError: (error) => refuse(form, error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["people"] }),
  });
  if (make.data) {
    return (
      <Stack gap="sm">
        <NewToken secret={make.data.token} />
      </Stack>
    );
  }
  const { member, scopes, projects } = form.getValues();
  const names = people?.members.filter(({ name, status }) => status === "active" && !BUILT_IN.includes(name)) ?? [];
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <Stack gap="sm">
        {isAdmin && (
          <Select
            label={text.people.of}
            data={names.map(({ name }) => name)}
            placeholder={text.people.choose}
            nothingFoundMessage={text.palette.nothing}
            searchable
            required
            {...form.getInputProps("member")}
          />
        )}
        <TextInput label={text.people.label} maxLength={100} {...form.getInputProps("label")} />
        <Checkbox.Group
          label={text.people.scopes}
          value={[...scopes]}
          error={form.errors.scopes}
          onChange={(chosen) =>
            form.setFieldValue(
              "scopes",
              SCOPES.filter((scope) => chosen.includes(scope)),
            )
          }
        >
          <Stack mt={6} gap={6}>
            {SCOPES.filter((scope) => me.scopes.includes(scope)).map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={nameOf(text.people.scopeHints, scope)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TagsInput
          label={text.people.limit}
          description={text.people.limitHint}
          data={known?.projects.map(({ key }) => key) ?? []}
          value={[...projects]}
          error={form.errors.projects}
          onChange={(keys) => form.setFieldValue("projects", keys)}
        />
        <NativeSelect
          label={text.people.expires}
          {...form.getInputProps("expires")}
          data={[
            ...TERMS_DAYS.map((days) => ({ value: `${days}d`, label: number(days, IN_DAYS) })),
            { value: "never", label: text.people.forever },
          ]}
        />
        <Button type="submit" loading={make.isPending} disabled={scopes.length === 0 || member === null}>
          {text.people.makeToken}
        </Button>
      </Stack>
    </form>
  );
}
