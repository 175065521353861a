import { Alert, Button, Code, Paper, PasswordInput, Stack, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { answer, chest, PAGE_URL } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { becomes } from "../api/query-client.ts";
import { text } from "../i18n/index.ts";
import { Form, useTitle } from "../parts/page.tsx";

/** Door of the page: by a one-time link, or a token. */
export function SignIn() {
  const navigate = useNavigate();
  useTitle(text.signIn.submit);
  const [token, setToken] = useState("");
  const signIn = useMutation({
    async mutationFn(input: { readonly token: string } | { readonly link: string; readonly replaces?: string }) {
      const me = await answer(chest.POST("/api/sign-in", { body: { ...input, at: PAGE_URL.pathname } }));
      // A browser that blocks cookies would be signed out by the next request.
      const isKept = await answer(chest.GET("/api/sign-in")).then(
        () => true,
        (error: unknown) => !(error instanceof ApiError && error.code === "UNAUTHORIZED"),
      );
      if (!isKept) throw new ApiError("NO_COOKIES", text.signIn.noCookies);
      return me;
    },
    onSuccess(me) {
      becomes(me);
      if (/^#\/sign-in\b/.test(location.hash)) void navigate({ to: "/" });
    },
  });
  const { link, sso: refusal } = useSearch({ strict: false });
  const { data: sso } = useQuery(queries.sso());
  const { href } = useLocation();
  const begin = new URL("api/sso/begin", PAGE_URL);
  if (!href.startsWith("/sign-in")) begin.searchParams.set("to", href);
  const { mutate } = signIn;
  // Uses the one-time link once, even if React renders twice, and first removes it from the address.
  const used = useRef<string>(undefined);
  useEffect(() => {
    if (link === undefined || used.current === link) return;
    used.current = link;
    void navigate({ to: "/sign-in", replace: true }).then(() => mutate({ link }));
  }, [link, mutate, navigate]);

  const given = signIn.variables;
  const instead = signIn.error instanceof ApiError ? signIn.error.details : {};
  if (given && "link" in given && typeof instead.signed_in_as === "string") {
    const present = instead.signed_in_as;
    const other = String(instead.link_for);
    return (
      <Stack mih="100dvh" align="center" justify="center" p="md" className="ground">
        <Paper withBorder p="xl" w="100%" maw={420} radius="md" component="main">
          <Stack gap="sm">
            <Title order={1}>{text.signIn.instead.title(other)}</Title>
            <p className="lead">{text.signIn.instead.why(present, other)}</p>
            <Button onClick={() => mutate({ link: given.link, replaces: present })}>
              {text.signIn.instead.change(other)}
            </Button>
            <Button variant="default" onClick={() => void navigate({ to: "/search" })}>
              {text.signIn.instead.stay(present)}
            </Button>
          </Stack>
        </Paper>
      </Stack>
    );
  }
  const isByLink = signIn.variables !== undefined && "link" in signIn.variables;
  return (
    <Stack mih="100dvh" align="center" justify="center" p="md" className="ground">
      <Paper withBorder p="xl" w="100%" maw={420} radius="md" component="main">
        <Form onSubmit={() => signIn.mutate({ token: token.trim() })}>
          <Stack gap="sm">
            <Title order={1}>{text.signIn.title}</Title>
            {isByLink && signIn.isPending && <output>{text.signIn.working}</output>}
            {refusal !== undefined && (
              <Alert color="red" variant="outline" role="alert">
                {text.signIn.notIn[refusal] ?? text.signIn.notIn.over}
              </Alert>
            )}
            {sso?.provider && (
              <Button component="a" href={begin.href}>
                {sso.provider === "github" ? text.signIn.byGithub : text.signIn.byCompany}
              </Button>
            )}
            <p className="lead">{text.signIn.byToken}</p>
            <PasswordInput
              label={text.signIn.token}
              value={token}
              onChange={({ currentTarget }) => setToken(currentTarget.value)}
              autoComplete="current-password"
              autoFocus
              error={signIn.error ? reasonOf(signIn.error, isByLink) : undefined}
            />
            <Button
              type="submit"
              variant={sso?.provider ? "default" : "filled"}
              loading={signIn.isPending}
              disabled={token.trim() === ""}
            >
              {text.signIn.submit}
            </Button>
            <p className="lead">{text.signIn.orLink}</p>
            <Code block>chest-index page</Code>
            <p className="lead">{text.signIn.inContainer}</p>
            <Code block>docker compose exec chest chest-index page --member NAME</Code>
          </Stack>
        </Form>
      </Paper>
    </Stack>
  );
}

function reasonOf(error: Error, isByLink: boolean): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.code === "UNAUTHORIZED") return isByLink ? text.signIn.linkOver : text.signIn.wrong;
  return error.code === "OFFLINE" ? text.problem.offline : error.message;
}
