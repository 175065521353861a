import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { Problem } from "../parts/page.tsx";
import { Frame } from "./frame.tsx";

const SignIn = lazy(async () => ({ default: (await import("./sign-in.tsx")).SignIn }));

/** Root of the page: shows the sign-in form to visitors who are not signed in. */
export function Root() {
  const { pathname } = useLocation();
  const isSigningIn = pathname === "/sign-in";
  const isAskedByClient = pathname.startsWith("/authorize/");
  const { data: me, error, refetch } = useQuery({ ...queries.whoami(), enabled: !isSigningIn });
  // A failed authorization is shown without a sign-in, because signing in would not mend it.
  if (isSigningIn || pathname === "/authorize/failed") return <Outlet />;
  if (me === null || (error instanceof ApiError && error.code === "UNAUTHORIZED")) {
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  }
  if (!me) {
    return (
      <Center mih="60vh" p="md">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : (
          <Loader size="sm" role="img" aria-label={text.common.loading} />
        )}
      </Center>
    );
  }
  // The consent question of an OAuth client is shown without the navigation.
  if (isAskedByClient) return <Outlet />;
  return (
    <Frame me={me}>
      <Outlet />
    </Frame>
  );
}
