export { GUIDE } from "./guide.ts";
export { RESOURCE_TEMPLATES, RESOURCE_TYPE, RESOURCES } from "./list.ts";
export { localResources, type ResourceReader, readResource, resource } from "./read.ts";
export { SKILL_TAG, skillSlug } from "./skill.ts";
