import { ActionIcon, AppShell, Burger, Button, Group, ScrollArea } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { useLiveEvents } from "../api/events.ts";
import { queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";
import { notifyDone } from "../parts/notify.tsx";
import { destinationGroups, type Me } from "./destinations.ts";
import { Keys } from "./keys.tsx";
import { signOut } from "./sign-out.ts";

const Account = lazy(async () => ({ default: (await import("./account.tsx")).Account }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Frame of every page: navigation, palette, and what tells of the connection. */
export function Frame({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [hasPalette, setHasPalette] = useState(false);
  const [calls, setCalls] = useState(0);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useLiveEvents();
  const openPalette = () => {
    // The palette does not open over a dialog, because the dialog traps the keyboard focus.
    if (document.querySelector("[aria-modal=true]")) return;
    setHasPalette(true);
    setCalls((count) => count + 1);
  };
  useHotkeys([["mod+K", openPalette]], []);
  useHotkeys([["/", () => void navigate({ to: "/search", search: (search) => search }).then(focusSearch)]]);
  useEffect(close, [pathname, close]);

  return (
    <AppShell
      navbar={{ width: 212, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      header={{ height: { base: 46, sm: 0 } }}
    >
      <button type="button" className="skip" onClick={skip}>
        {text.nav.skip}
      </button>
      <AppShell.Header hiddenFrom="sm" className="ground">
        <Group h="100%" px="sm" gap="sm">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={text.nav.openMenu} />
          <Mark />
          <Group gap={6} ml="auto">
            <NewMemoryLink me={me} />
            <PaletteButton open={openPalette} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p={10} className="ground" aria-label={text.nav.main}>
        <Group justify="space-between" px={9} pb={10} pt={4} visibleFrom="sm">
          <Mark />
          <Group gap={6}>
            <NewMemoryLink me={me} isSmall />
            <PaletteButton open={openPalette} isSmall />
          </Group>
        </Group>
        <AppShell.Section grow component={ScrollArea}>
          {destinationGroups(me).map((group) => (
            <div key={group.name ?? ""} className="nav-group">
              {group.name !== undefined && <p className="nav-name">{group.name}</p>}
              {group.destinations.map(({ to, name, Icon }) => (
                <Link
                  key={to}
                  to={to}
                  className="nav"
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                  activeProps={{ "aria-current": "page" }}
                >
                  <Icon />
                  {name}
                  {to === "/inbox" && me.scopes.includes("write") && <InboxCount />}
                </Link>
              ))}
            </div>
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <Suspense fallback={<div className="nav" />}>
            <Account me={me} />
          </Suspense>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Connectivity />
        {children}
      </AppShell.Main>
      <Keys me={me} />
      {hasPalette && (
        <Suspense>
          <Palette me={me} calls={calls} signOut={() => void signOut(me)} />
        </Suspense>
      )}
    </AppShell>
  );
}

/** Mark and name of Chest. */
const Mark = () => (
  <span className="mark">
    <img src="./icon.svg" alt="" width={18} height={18} />
    Chest
  </span>
);

const NewMemoryLink = ({ me, isSmall }: { readonly me: Me; readonly isSmall?: true }) =>
  me.scopes.includes("write") && (
    <ActionIcon
      {...(isSmall && { size: "sm" })}
      variant="subtle"
      color="gray"
      renderRoot={(props) => <Link to="/new" {...props} />}
      aria-label={text.newMemory.title}
      aria-keyshortcuts="c"
      title={`${text.newMemory.title} (C)`}
    >
      <icons.PlusIcon />
    </ActionIcon>
  );

interface PaletteButtonProps {
  readonly isSmall?: true;
  open(): void;
}

const PaletteButton = ({ isSmall, open }: PaletteButtonProps) => (
  <ActionIcon
    {...(isSmall && { size: "sm" })}
    variant="subtle"
    color="gray"
    onClick={open}
    aria-label={text.nav.palette}
    aria-keyshortcuts="Control+K Meta+K"
    title={`${text.nav.palette} (Ctrl K)`}
  >
    <icons.SearchIcon />
  </ActionIcon>
);

/** Number of inbox items that wait for the member; renders nothing for zero. */
function InboxCount() {
  const { data } = useQuery(queries.inbox());
  const total = Object.values(data?.counts ?? {}).reduce<number>((sum, count) => sum + Number(count), 0);
  return total > 0 && <span className="count">{number(total)}</span>;
}

/** The hash of the address is the route, so a skip link has to move the focus by script. */
function skip(): void {
  document.getElementById("content")?.focus();
}

const focusSearch = (): void => document.getElementById("search-words")?.focus();

/** Tells when the backend is down or has a newer release than this page; retries until it answers. */
function Connectivity() {
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
