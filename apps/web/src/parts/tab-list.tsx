import { Tabs, type TabsListProps } from "@mantine/core";
import { useEffect, useRef } from "react";

/** Tabs, of which the open one is in sight: on a phone they are one line that scrolls. */
export function TabList(props: TabsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return <Tabs.List ref={list} {...props} />;
}
