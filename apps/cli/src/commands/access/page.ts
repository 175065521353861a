import { endpoints } from "@chest/contracts";
import { openSignInAdmin, SIGN_IN_FIELDS } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { operatorHere } from "../../connect/access-admin.ts";
import { withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { reachingCommand, type Shell } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const FLAGS = someFlags(SIGN_IN_FIELDS.link, {
  member: { words: "Member to sign in as; yourself without it", hint: "name" },
});

export const page = reachingCommand({
  meta: { name: "page", description: "Make a link that signs a browser in to the page, once, within ten minutes" },
  args: {
    ...FLAGS.args,
    at: { type: "string", description: "Address that the browser opens", valueHint: "url" },
  },
  async run(args, { env, output }) {
    const config = readConfig(env, args);
    const { link, member, expires_at } = await makeLink(config, FLAGS.read(args));
    const at = args.at ?? config.remote?.url ?? atPort(config, env);
    const url = pageUrl(at, link);
    output.show(`signs a browser in as \`${member}\`, once, until ${expires_at}:`);
    output.say(url);
    if (member === "local")
      output.hint("`local` works in a browser on this machine; for another machine, name a `--member`");
    output.document({ url, member, expires_at });
  },
});

function makeLink(config: Config, request: object) {
  if (config.remote)
    return withBackend(config.remote, (backend) => backend.call(endpoints.createSignInLink, { body: request }));
  return withStore(config, ({ access }) => openSignInAdmin(access, operatorHere(), systemClock).createLink(request));
}

/** Chooses the port: the one from the arguments, else that of the backend on this data folder, else the default. */
const atPort = ({ runningUrl }: Config, { CHEST_PORT: port }: Shell["env"]): string =>
  port ? `http://127.0.0.1:${port}` : (runningUrl ?? "http://127.0.0.1:8765");

/** Builds the address of the page. The link follows `#`, so it reaches no server and no log. */
const pageUrl = (at: string, link: string): string => `${at.replace(/(?<!\/)\/+$/, "")}/#/sign-in?link=${link}`;
