import { Alert, Button, Center, Group, Loader, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useEffect } from "react";
import { ApiError } from "../api/api-error.ts";
import { text } from "../i18n/index.ts";
import { refusalText } from "./refusal.ts";
import { withCode } from "./words/with-code.tsx";

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Sets the title of the browser's tab and of its history entry. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Chest`;
  }, [title]);
}

/** Page with its heading. */
export function Page({ title, lead, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="page">
      <Group justify="space-between" align="start" mb="md" className="page-head">
        <div>
          <Title order={1}>{title}</Title>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </Group>
      {children}
    </div>
  );
}

interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  refetch(): unknown;
}

/** Result of a query; a loading state or an error until there is one. */
export function Answer<T>({
  of: { data, error, isPending, refetch },
  children,
}: {
  readonly of: QueryState<T>;
  readonly children: (data: NonNullable<T>) => ReactNode;
}) {
  if (data !== undefined && data !== null) return children(data);
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!isPending) return null;
  return (
    <Center p="xl">
      <Loader size="sm" role="img" aria-label={text.common.loading} />
    </Center>
  );
}

/** Refusal of the backend, with its hint. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.code === "FORBIDDEN";
  return (
    <Alert color="red" variant="outline" title={isForbidden ? undefined : text.problem.failed} my="sm" role="alert">
      <Stack gap="xs" align="start">
        <span>{refusalText(error)}</span>
        {retry && !isForbidden && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {text.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export const Nothing = ({ children = text.common.nothing }: { readonly children?: ReactNode }) => (
  <p className="lead nothing">{typeof children === "string" ? withCode(children) : children}</p>
);

/** Explains how to connect an agent, if the store has no memories yet. */
export const NothingYet = ({ children }: { readonly children: string }) => (
  <Nothing>
    {withCode(children)} <Link to="/connect">{text.nav.connect}</Link>
  </Nothing>
);

/** A form that is sent by code alone. */
export const Form = ({ onSubmit, ...props }: Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit(): void }) => (
  <form
    {...props}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
