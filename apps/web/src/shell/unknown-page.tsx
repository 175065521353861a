import { Link } from "@tanstack/react-router";
import { text } from "../i18n/index.ts";
import { Nothing } from "../parts/page.tsx";

export const UnknownPage = () => (
  <Nothing>
    {text.common.unknownPage}&nbsp;<Link to="/search">{text.common.backToSearch}</Link>
  </Nothing>
);
