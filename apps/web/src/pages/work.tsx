import { text } from "../i18n/index.ts";
import { Nothing, Page } from "../parts/page.tsx";

export const Work = () => (
  <Page title={text.work.title} lead={text.work.lead}>
    <Nothing>{text.work.notHere}</Nothing>
  </Page>
);
