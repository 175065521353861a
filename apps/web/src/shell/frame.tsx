import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  ScrollArea,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { answer, chest } from "../api/client.ts";
import { useLiveEvents } from "../api/events.ts";
import { queries } from "../api/queries.ts";
import { becomes } from "../api/query-client.ts";
import { number, text } from "../i18n/index.ts";
import { dropAllDrafts } from "../parts/drafts.ts";
import * as icons from "../parts/icons.tsx";
import { Connectivity } from "./connectivity.tsx";
import { destinations, type Me } from "./destinations.ts";

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
          <b>Chest</b>
          <PaletteButton open={openPalette} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p={10} className="ground" aria-label={text.nav.main}>
        <Group justify="space-between" px={9} pb={10} pt={4} visibleFrom="sm">
          <b>Chest</b>
          <PaletteButton open={openPalette} isSmall />
        </Group>
        <AppShell.Section grow component={ScrollArea}>
          {destinations(me).map(({ to, name, Icon }) => (
            <Link key={to} to={to} className="nav" activeProps={{ "aria-current": "page" }}>
              <Icon />
              {name}
              {to === "/inbox" && <InboxCount />}
            </Link>
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <Account me={me} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Connectivity />
        {children}
      </AppShell.Main>
      {hasPalette && (
        <Suspense>
          <Palette me={me} calls={calls} />
        </Suspense>
      )}
    </AppShell>
  );
}

interface PaletteButtonProps {
  readonly isSmall?: true;
  open(): void;
}

const PaletteButton = ({ isSmall, open }: PaletteButtonProps) => (
  <ActionIcon
    {...(isSmall ? { size: "sm" } : { ml: "auto" })}
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

/** Number of what waits in the inbox; nothing where nothing does. */
function InboxCount() {
  const { data } = useQuery(queries.inbox());
  const total = Object.values(data?.counts ?? {}).reduce<number>((sum, count) => sum + Number(count), 0);
  return total > 0 && <span className="count">{number(total)}</span>;
}

function Account({ me }: { readonly me: Me }) {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const signOut = async () => {
    if (me.sign_in !== undefined)
      await answer(chest.DELETE("/api/sign-ins/{id}", { params: { path: { id: me.sign_in } } })).catch(() => {});
    dropAllDrafts();
    becomes(null);
  };
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="top-start" width={200}>
        <Menu.Target>
          <button type="button" className="nav plain" aria-label={`${text.nav.account} ${me.member}`}>
            <icons.PeopleIcon />
            <span className="clamp1">{me.member}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{me.scopes.join(", ")}</Menu.Label>
          <Menu.Item onClick={() => void signOut()}>{text.nav.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        ml="auto"
        variant="subtle"
        color="gray"
        aria-label={text.nav.theme}
        onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
      >
        <icons.ThemeIcon />
      </ActionIcon>
    </Group>
  );
}

/** The address holds the route: a jump to an element moves the focus instead. */
function skip(): void {
  document.getElementById("content")?.focus();
}

const focusSearch = (): void => document.getElementById("search-words")?.focus();
