export { type AccessAdmin, DESK_FIELDS, openAccessAdmin, parentFor } from "./access-admin.ts";
export { alikeHint, lookAlike } from "./alike-keys.ts";
export { type Caller, type Client, clientLabel, localCaller, UNSTATED_CLIENT } from "./caller.ts";
export {
  type FormerProject,
  formerKeysOf,
  noteOfFormerKeys,
  renamedFormer,
  splitFrom,
  withFormer,
} from "./joined-from.ts";
export { isBuiltIn, LOCAL, MAINTENANCE, type Member, type Role, SHARED } from "./member.ts";
export { nameTrouble, projectKeyTrouble, readProjectKey, storableProjectKey } from "./name-validation.ts";
export { isProjectClosed, noticeBlock, noticesFor, TOKEN_ENDS_SOON_DAYS } from "./notices.ts";
export { closedProject, keysToldTo, mayWriteTo, opensTo } from "./project.ts";
export { MAX_PROJECT_KEY, projectKeyOf, projectKeyOfRemote, repositoryKeyOf } from "./project-key.ts";
export { purgeFor, RECORD_FIELDS, readAudit } from "./records.ts";
export { lacksScope, noSuch } from "./refusals.ts";
export { isReviewer, placesOf } from "./review.ts";
export { SESSION_PAUSE_MS } from "./session.ts";
export { type Browser, openSignInAdmin, SIGN_IN_FIELDS, signInByLink, signInWith, type Tie } from "./sign-in.ts";
export {
  type CallerPlace,
  isOpenToReadersOf,
  type Reach,
  type Space,
  spaceOf,
  spacesFor,
  VISIBILITIES,
  type Visibility,
} from "./space.ts";
export { hashSecret, newSecret, readToken, writeToken } from "./token.ts";
