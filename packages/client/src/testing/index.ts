export { type Certificate, makeCertificate } from "./certificates.ts";
export {
  answerJson,
  cutAfter,
  cutBefore,
  type FakeBackend,
  type FakeBackendOptions,
  hang,
  type Mishap,
  page,
  type Received,
  refuse,
  startFakeBackend,
  torn,
} from "./fake-backend.ts";
