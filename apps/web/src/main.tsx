import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import "./fonts.css";
import "./app.css";
import { session } from "./api/client.ts";
import { queries } from "./api/queries.ts";
import { queryClient } from "./api/query-client.ts";
import { chooseLanguage } from "./i18n/index.ts";
import { router } from "./router.tsx";
import { theme, variables } from "./theme.ts";

const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
setNonce(nonce);

// These requests start while the page is still being built, because most visits begin at Home or at the search.
if (!location.hash.startsWith("#/sign-in")) void queryClient.prefetchQuery(queries.whoami());
if (session.isThere && /^(#\/?(\?.*)?)?$/.test(location.hash)) {
  const since = new URLSearchParams(location.hash.split("?", 2)[1]).get("since");
  void queryClient.prefetchQuery(queries.home(since === "day" || since === "week" ? since : "look"));
  void import("./pages/home/home.tsx");
}
if (session.isThere && location.hash.startsWith("#/search")) void import("./pages/search/search.tsx");

await chooseLanguage(navigator.languages);

const root = document.getElementById("root");
if (!root) throw new Error("the document has no root");
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Notifications position="bottom-right" autoClose={4000} />
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
