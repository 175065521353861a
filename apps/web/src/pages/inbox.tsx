import { text } from "../i18n/index.ts";
import { Nothing, Page } from "../parts/page.tsx";

/** Queue of what agents could not settle. */
export const Inbox = () => (
  <Page title={text.inbox.title} lead={text.inbox.lead}>
    <Nothing>{text.inbox.empty}</Nothing>
  </Page>
);
