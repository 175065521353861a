import { writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";

/** Nothing is loaded from anywhere and nothing is sent: all that there is stands in the document. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Builds what is drawn inside a chat beside the page, from its components and texts: one document, as a host is handed one text. */
export const chatView = (): Plugin => ({
  name: "chat-view",
  apply: "build",
  async closeBundle() {
    const built = (await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: "warn",
      publicDir: false,
      plugins: [react()],
      build: {
        write: false,
        modulePreload: false,
        cssCodeSplit: false,
        rolldownOptions: {
          input: join(import.meta.dirname, "src/chat/main.tsx"),
          output: { codeSplitting: false },
        },
      },
    })) as Rolldown.RolldownOutput;
    const script = built.output.flatMap((part) => (part.type === "chunk" ? part.code : [])).join("\n");
    const styles = built.output.flatMap((part) => (part.type === "asset" ? String(part.source) : [])).join("\n");
    writeFileSync(join(import.meta.dirname, "dist/chat-view.html"), documentOf(script, styles));
  },
});

const documentOf = (script: string, styles: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Chest</title>
<style>${styles.replaceAll("</style", "<\\/style")}</style>
</head>
<body>
<script type="module">${script.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--")}</script>
</body>
</html>
`;
