import { ActionIcon, AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useLiveEvents } from "../api/events.ts";
import { queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";
import { Connectivity } from "./connectivity.tsx";
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
