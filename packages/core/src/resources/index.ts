export { GUIDE } from "./guide.ts";
export { RESOURCE_TEMPLATES, RESOURCE_TYPE, RESOURCES } from "./list.ts";
export {
  type ListedMemory,
  localResources,
  type ResourceReader,
  type ResourceStats,
  readResource,
  resource,
} from "./read.ts";
export { SKILL_TAG, skillSlug } from "./skill.ts";
