import { Link } from "@tanstack/react-router";
import { text } from "../i18n/index.ts";
import { Nothing, useTitle } from "../parts/page.tsx";

export function UnknownPage() {
  useTitle(text.common.unknownPage);
  return (
    <Nothing>
      {text.common.unknownPage} <Link to="/search">{text.common.backToSearch}</Link>
    </Nothing>
  );
}
