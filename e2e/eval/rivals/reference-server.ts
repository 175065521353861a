import { fetchRival, openRival } from "../../load/against/rival.ts";
import type { StdioClient } from "../../support/clients/stdio-client.ts";
import { tellingWordsOf } from "../plain-fts5.ts";
import { callTool, type FetchRival } from "./rival.ts";

/** MCP's reference memory server. It finds what holds a text letter by letter, and ranks nothing. */
export const fetchReferenceServer: FetchRival = async (workDir) => {
  const rival = await fetchRival(workDir);
  return (
    rival && {
      name: rival.name,
      async open() {
        const { client, end } = await openRival(rival, workDir);
        return {
          // Each memory is an entity, so that the answer to a question is one of them and not a list.
          async storeAll(documents) {
            const entities = documents.map(({ key, about, content }) => ({
              name: key,
              entityType: about,
              observations: [content],
            }));
            await callTool(client, "create_entities", { entities });
          },
          ways: {
            "as it stands": (question) => found(client, [question]),
            // An agent that knows the tool: a call for each word, and first what most of them find.
            "word by word": (question) => found(client, tellingWordsOf(question)),
          },
          close: end,
        };
      },
    }
  );
};

/** Names of entities: first those that most of the texts find, then in the order in which they were stored. */
async function found(client: StdioClient, texts: readonly string[]): Promise<string[]> {
  const hits = new Map<string, number>();
  for (const query of texts) {
    const { entities = [] } = JSON.parse(await callTool(client, "search_nodes", { query })) as Graph;
    for (const { name } of entities) hits.set(name, (hits.get(name) ?? 0) + 1);
  }
  return [...hits].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

interface Graph {
  readonly entities?: readonly { readonly name: string }[];
}
