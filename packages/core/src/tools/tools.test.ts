import { memoryEngine, toolsContract } from "../testing/index.ts";

toolsContract("memory", async ({ clock }) => memoryEngine({ clock }));
