import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, chest } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { useSending } from "../../parts/use-change.ts";
import type { Me } from "../../shell/destinations.ts";
import { MakeToken, NewToken } from "./make-token.tsx";

const SOON_MS = 14 * 86_400_000;

/** Tokens: made, shown once, used, ending, revoked. */
export function Tokens({ me }: { readonly me: Me }) {
  const [withRevoked, setWithRevoked] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const query = useQuery(queries.tokens(withRevoked));
  const revoke = useSending(
    (id: number) => answer(chest.DELETE("/api/tokens/{id}", { params: { path: { id: id } } })),
    ["people"],
  );
  const renew = useSending(
    (id: number) => answer(chest.POST("/api/tokens/{id}/renew", { params: { path: { id } } })),
    ["people"],
  );
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
      <Answer of={query}>
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
                { head: text.people.lastUsed, timeOf: ({ last_used_at }) => last_used_at },
                {
                  head: text.people.expires,
                  timeOf: ({ revoked_at, expires_at }) => revoked_at ?? expires_at,
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
                        />
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

/** Whether a token is valid and has an expiry date: the backend renews no other tokens. */
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
