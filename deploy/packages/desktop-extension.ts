import { type About, clientEnv, filledIn, SETTINGS } from "./about.ts";

/** Manifest of the `.mcpb` for Claude Desktop, which brings a Node of its own. */
export function desktopExtension({ name, version, description, license, keywords, owner }: About) {
  const { address, token_file } = SETTINGS;
  const manifest = {
    manifest_version: "0.3",
    name,
    display_name: "Chest",
    version,
    description,
    author: { name: owner },
    license,
    keywords,
    server: {
      type: "node",
      entry_point: "server/chest-memory.js",
      mcp_config: {
        command: "node",
        args: [`${filledIn("__dirname")}/server/chest-memory.js`],
        env: clientEnv(filledIn("user_config.address"), filledIn("user_config.token_file")),
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=20.19.0" } },
    user_config: {
      address: { type: "string", ...address, required: true },
      token_file: { type: "file", ...token_file, required: true },
    },
  };
  return { "manifest.json": manifest };
}
