import {
  App,
  applyDocumentTheme,
  applyHostStyleVariables,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps";
import { createRoot } from "react-dom/client";
import "../app.css";
import "./chat.css";
import { chooseLanguage } from "../i18n/index.ts";
import { Answer } from "./answer.tsx";

/**
 * Document that a host of MCP Apps shows inside a chat. It gets the answer of one tool, and makes all requests through the
 * host.
 */
const app = new App({ name: "chest", title: "Chest", version: "1" }, {});
const root = createRoot(document.body.appendChild(document.createElement("main")));

function take({ theme, styles }: McpUiHostContext): void {
  applyDocumentTheme(theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  if (styles?.variables) applyHostStyleVariables(styles.variables);
}

const told = Promise.withResolvers<Readonly<Record<string, unknown>>>();
app.addEventListener("toolresult", ({ structuredContent }) =>
  told.resolve({ ...(structuredContent as object | undefined) }),
);
app.addEventListener("hostcontextchanged", take);
await app.connect();
const context = app.getHostContext() ?? {};
take(context);
await chooseLanguage(context.locale ? [context.locale] : navigator.languages);
root.render(<Answer answer={await told.promise} app={app} />);
