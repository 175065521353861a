import { Alert, Button, Checkbox, Group, MultiSelect, Paper, Radio, Stack, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { answer, chest } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { Answer, Form, Problem, useTitle } from "../parts/page.tsx";
import { memberName } from "../parts/words/member-name.ts";

type Request = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof queries.authorization>["queryFn"]>>>>;

/** Question whether an OAuth client may come in, with what it may do there. */
export function Authorize() {
  const { uid } = useParams({ strict: false });
  const { why } = useSearch({ strict: false }) as { readonly why?: string };
  const query = useQuery({ ...queries.authorization(uid ?? ""), enabled: uid !== undefined && uid !== "failed" });
  return (
    <Stack mih="100dvh" align="center" justify="center" p="md" className="ground">
      <Paper withBorder p="xl" w="100%" maw={480} radius="md" component="main">
        {uid === "failed" ? (
          <Failed why={why} />
        ) : query.error ? (
          <Refused error={query.error} />
        ) : (
          <Answer of={query}>{(request) => <Question uid={uid ?? ""} request={request} />}</Answer>
        )}
      </Paper>
    </Stack>
  );
}

function Failed({ why }: { readonly why: string | undefined }) {
  useTitle(text.authorize.failed);
  return (
    <Stack gap="sm">
      <Title order={1}>{text.authorize.failed}</Title>
      <p className="lead">{text.authorize.reasons[why ?? ""] ?? text.authorize.over}</p>
    </Stack>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  useTitle(text.authorize.failed);
  if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") return <Problem error={error} />;
  return (
    <Stack gap="sm">
      <Title order={1}>{text.authorize.failed}</Title>
      <p className="lead">{text.authorize.over}</p>
    </Stack>
  );
}

function Question({ uid, request }: { readonly uid: string; readonly request: Request }) {
  const [write, setWrite] = useState(false);
  const [isSome, setSome] = useState(false);
  const [projects, setProjects] = useState<string[]>([]);
  const decide = useMutation({
    mutationFn: (approve: boolean) =>
      answer(
        chest.POST("/api/authorizations/{uid}", {
          params: { path: { uid } },
          body: approve ? { approve, write, ...(isSome && { projects }) } : { approve, write: false },
        }),
      ),
    onSuccess({ location: next }) {
      location.href = next;
    },
  });
  const { client, redirect_to: host } = request;
  const name = client.name ?? host;
  useTitle(text.authorize.title(name));
  return (
    <Form onSubmit={() => decide.mutate(true)}>
      <Stack gap="md">
        <Title order={1}>
          <bdi>{text.authorize.title(name)}</bdi>
        </Title>
        <p className="lead">{text.authorize.as(memberName(request.member))}</p>
        <dl className="facts">
          <dt>{text.authorize.returns}</dt>
          <dd>
            <strong className="mono">{request.is_this_machine ? text.authorize.thisMachine(host) : host}</strong>
          </dd>
          <dt>{text.authorize.client}</dt>
          <dd className="mono">{client.kind === "document" ? client.id : text.authorize.registered}</dd>
        </dl>
        <Stack gap="xs" role="group" aria-label={text.authorize.may}>
          <Checkbox checked readOnly disabled label={text.authorize.read} />
          {request.asks_to_write && (
            <Checkbox
              label={text.authorize.write}
              description={request.may_write ? undefined : text.authorize.mayNotWrite}
              disabled={!request.may_write}
              checked={write}
              onChange={({ currentTarget }) => setWrite(currentTarget.checked)}
            />
          )}
        </Stack>
        <Radio.Group
          label={text.authorize.where}
          value={isSome ? "some" : "all"}
          onChange={(value) => setSome(value === "some")}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={request.is_limited ? text.authorize.limited : text.authorize.everywhere} />
            <Radio value="some" label={text.authorize.some} disabled={request.projects.length === 0} />
          </Stack>
        </Radio.Group>
        {isSome && (
          <MultiSelect
            label={text.authorize.projects}
            data={request.projects}
            value={projects}
            onChange={setProjects}
            searchable
          />
        )}
        {decide.error && <Problem error={decide.error} />}
        <Alert variant="outline" color="gray">
          {text.authorize.until}
        </Alert>
        <Group justify="end">
          <Button variant="default" onClick={() => decide.mutate(false)} loading={decide.isPending}>
            {text.authorize.refuse}
          </Button>
          <Button type="submit" loading={decide.isPending} disabled={isSome && projects.length === 0}>
            {text.authorize.allow}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
