export { dataBlock } from "./answer-text.ts";
export { framed, framedLines, NOTICE } from "./sanitize-for-prompt.ts";
