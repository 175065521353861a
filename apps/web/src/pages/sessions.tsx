import { text } from "../i18n/index.ts";
import { Nothing, Page } from "../parts/page.tsx";

export const Sessions = () => (
  <Page title={text.sessions.title} lead={text.sessions.lead}>
    <Nothing>{text.sessions.notHere}</Nothing>
  </Page>
);
