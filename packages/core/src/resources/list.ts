/** Resources, in the form that MCP lists them. */
export const RESOURCES = [
  { uri: "memory://stats", name: "stats", description: "How many memories there are, by layer and kind of entity" },
  { uri: "memory://hot", name: "hot", description: "Memories by use" },
  { uri: "memory://recent", name: "recent", description: "Memories used in the last seven days" },
  {
    uri: "memory://context",
    name: "context",
    description: "A briefing: recent and important, open work, the last session",
  },
  { uri: "memory://realizes", name: "realizes", description: "Every known pitfall" },
  { uri: "chest://stats", name: "chest-stats", description: "The same counts as memory://stats" },
  { uri: "chest://projects", name: "projects", description: "Projects that you may open" },
  { uri: "chest://guide", name: "guide", description: "How to work with this memory" },
] as const;

export const RESOURCE_TEMPLATES = [
  { uriTemplate: "memory://entity/{name}", name: "entity", description: "Memories about one entity" },
  { uriTemplate: "memory://layer/{layer}", name: "layer", description: "Memories of one layer" },
  { uriTemplate: "memory://memory/{id}", name: "memory", description: "One memory, whole" },
  { uriTemplate: "memory://history/{id}", name: "history", description: "What a memory says, and what it said before" },
  { uriTemplate: "chest://skill/{name}", name: "skill", description: "A skill: what it is for, and its file" },
] as const;

export const RESOURCE_TYPE = "application/json";
