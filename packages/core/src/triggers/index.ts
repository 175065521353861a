export { isTriggered, readCondition, sceneOf } from "./condition.ts";
export { globOf, namesOf } from "./glob.ts";
export type { Situation } from "./situation.ts";
export { triggeredFor } from "./triggered.ts";
