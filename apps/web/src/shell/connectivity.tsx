import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { notifyDone } from "../parts/notify.tsx";

/** Tells when the backend is down or has a newer release than this page; retries until it answers. */
export function Connectivity() {
  const queryClient = useQueryClient();
  const { error, data } = useQuery({
    ...queries.health(),
    // Polls more often while the backend is down.
    refetchInterval: ({ state }) => (state.error ? 3_000 : 30_000),
  });
  const { data: me } = useQuery({ ...queries.whoami(), refetchInterval: 10 * 60_000 });
  const loaded = useRef(me?.server_version);
  const wasAway = useRef(false);
  const isAway = error instanceof ApiError && error.code === "OFFLINE";
  useEffect(() => {
    if (wasAway.current && !isAway) {
      notifyDone(text.problem.back);
      // The backend may have been updated while it was down.
      void queryClient.invalidateQueries({ queryKey: ["whoami"] });
    }
    wasAway.current = isAway;
  }, [isAway, queryClient]);
  if (isAway) return <output className="offline">{text.problem.offline}</output>;
  if (data && loaded.current !== undefined && me && me.server_version !== loaded.current) {
    return (
      <div className="offline" role="status">
        {text.problem.outdated}{" "}
        <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
          {text.problem.reload}
        </Button>
      </div>
    );
  }
  return null;
}
