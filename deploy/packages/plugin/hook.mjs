// Claude Code hands the settings of a plugin to its hooks as variables of its own naming.
const { CLAUDE_PLUGIN_OPTION_ADDRESS: address, CLAUDE_PLUGIN_OPTION_TOKEN_FILE: tokenFile } = process.env;
if (address) {
  process.env.CHEST_MODE = "remote";
  process.env.CHEST_REMOTE_URL = address;
  if (tokenFile) process.env.CHEST_API_TOKEN_FILE = tokenFile;
}
await import(new URL("chest-hook.mjs", import.meta.url).href);
