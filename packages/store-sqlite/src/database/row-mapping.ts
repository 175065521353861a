import { memoryColumns } from "@chest/store/database/rows";
import { SQLITE } from "./async-connection.ts";

export * from "@chest/store/database/rows";

export const MEMORY_COLUMNS = memoryColumns(SQLITE);
