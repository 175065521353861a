export { BackgroundEmbedder, type BackgroundOptions, isAbsent } from "./background.ts";
export { bytesOf } from "./bytes.ts";
export { dot } from "./dot.ts";
export { type Batch, embedPending } from "./embed-pending.ts";
export { embedPushed } from "./embed-pushed.ts";
export {
  acceptedWith,
  BUILTIN_IDENTITY,
  identityFields,
  identityParts,
  isBuiltin,
  isOfEarlierTable,
  isSameIdentity,
  KNOWN_IDENTITIES,
  modelOf,
  outgrowsTable,
  readIdentity,
  TABLE_IDENTITY,
  tellsTextsApart,
} from "./known-models.ts";
export { type Push, type Pushed, pushVectors, readPush } from "./push.ts";
export { pendingQueue, WRITERS_OWN_MS } from "./queue.ts";
export { isReadBySentences } from "./sentence-scripts.ts";
export { type StoredNews, type StoredVector, storedNews } from "./stored.ts";
export { takeText } from "./text.ts";
export { checkedVector, vectorNumbers, vectorOf, vectorText } from "./vector.ts";
