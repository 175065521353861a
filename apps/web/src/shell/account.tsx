import { ActionIcon, Group, Menu, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";
import { memberName } from "../parts/words/member-name.ts";
import type { Me } from "./destinations.ts";
import { signOut } from "./sign-out.ts";

/** Menu of the member who is signed in, and the switch between light and dark. */
export function Account({ me }: { readonly me: Me }) {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="top-start" width={200}>
        <Menu.Target>
          <button type="button" className="nav plain" aria-label={`${text.nav.account} ${memberName(me.member)}`}>
            <icons.PeopleIcon />
            <span className="clamp1">{memberName(me.member)}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{me.scopes.join(", ")}</Menu.Label>
          <Menu.Item onClick={() => void signOut(me)}>{text.nav.signOut}</Menu.Item>
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
