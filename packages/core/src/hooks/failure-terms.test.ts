import { describe, expect, it } from "vitest";
import { failureTermsOf, namedOf } from "./failure-terms.ts";

const isNamed = (output: string, memory: string): boolean => namedOf(memory, failureTermsOf(output)) > 0;

describe("a memory is about a failure", () => {
  it.each([
    [
      "by a phrase of its message, beside advice that is longer",
      'Error: Budget of 30s spent. For slow suites and remote stores, raise the limit; if you return a stream, be sure that it ends. "end()" was not called.',
      "`Budget of 30s spent` in the archive suite means that the mock clock stands still.",
    ],
    [
      "by a phrase with another duration in it",
      "Error: Budget of 900ms spent. For slow suites, see the manual. Streams have to be ended by the caller of them.",
      "`Budget of 30s spent` in the archive suite means that the mock clock stands still.",
    ],
    [
      "by three words that it quotes",
      "ssl: error:0A00:lib(20)::bad ca digest chosen (nginx at stage nine of twelve, config reload)",
      "The proxy says 'ca digest chosen' where the bundle is old: run bin/ca.",
    ],
    [
      "by the code among the properties of an error",
      "Error: the door is shut\n    at open (door.js:3:1) {\n  code: 'ERR_DOOR_SHUT'\n}",
      "ERR_DOOR_SHUT: start the porter first.",
    ],
    [
      "by a state in a table",
      "error: timed out waiting for the condition\nNAME   READY   STATUS\nweb-1  0/1     CrashLoopBackOff",
      "The web pods go CrashLoopBackOff without the config map `web-env`.",
    ],
    [
      "by a value of JSON, whatever its keys are",
      'fatal: [db3]: FAILED! => {"host_facts": {}, "retry_hint": "none", "msg": "Missing vault password"}',
      "Missing vault password on new hosts: run bootstrap.yml.",
    ],
    [
      "by the state of a service",
      "x tided.service\n  Active: failed\n  Process: 12 ExecStart=/opt/tided (code=exited, status=217/USER)",
      "tides: status=217/USER until the package adds its user.",
    ],
    [
      "by the class alone of a qualified name",
      "rule org.acme.checks.banned.DuplicateJarCheck failed with message: two jars of one module",
      "DuplicateJarCheck wants `./tidy-jars` to be run.",
    ],
    [
      "by a test without its file",
      "FAILED tests/api/test_fees.py::test_leap_day - assert 3 == 4",
      "test_leap_day fails in the last week of February.",
    ],
    [
      "by the package in a path",
      "TypeError: draw must be used with new (/srv/app/node_modules/@acme/plotkit/dist/index.js)",
      "@acme/plotkit 4 exports classes: call them with `new`.",
    ],
    [
      "by a package with the versions that are asked for",
      "x No solution found: because only heatmapper<=0.4.1 is there and the project wants heatmapper>=0.5 with wheels for this interpreter, nothing can be installed here",
      "heatmapper has no wheels for Windows; build it from its source.",
    ],
    [
      "by what was not found, a name like any word",
      "CMake Error at FindThing.cmake:230 (message): Could NOT find Boost (missing: Boost_INCLUDE_DIR system)",
      "Boost is under /opt/boost on the runners.",
    ],
    [
      "by the host of an address",
      'error: failed to download the schema: Get "http://localhost:9411/v2?timeout=3s": dial tcp [::1]:9411: connect: connection refused; to go on without, turn the check off',
      "Nothing listens on localhost:9411 until `make zipkin`.",
    ],
    [
      "by an exception with or without its suffix",
      "An error occurred (ThrottledUpload) when calling the PutPart operation: slow down",
      "ThrottledUploadException: at most four parts at a time.",
    ],
    [
      "by what stands in the line under the message",
      "Shop.java:9: error: cannot find symbol\n  TaxTable t;\n  ^\n  symbol:   class TaxTable\n  location: class Shop\n1 error",
      "TaxTable is generated: `./gradlew taxes`.",
    ],
    [
      "by what an inner exception says",
      "System.AggregateException: One or more errors occurred. (a)\n ---> Acme.LedgerClosedException: the ledger of May is closed\n   at Acme.Ledger.Write()",
      "LedgerClosedException: reopen the month with `ledger open`.",
    ],
    [
      "by words of a language without blanks",
      "Error: 税率表の読み込みに失敗しました (7)",
      "「税率表の読み込みに失敗」と出たら `make rates` を実行する。",
    ],
    [
      "by a quoted part of a Chinese message",
      "RuntimeError: 证书已过期: api",
      "报“证书已过期”时运行 scripts/renew.sh。",
    ],
  ])("%s", (_what, output, memory) => {
    expect(isNamed(output, memory)).toBe(true);
  });

  it.each([
    [
      "with another name in its message",
      'npm error Missing script: "bundle"',
      'npm error Missing script: "codegen": it is a script of the root.',
    ],
    [
      "with another class after the same words",
      "ERROR the container cannot wire arguments of the TideService (?). See that ClockPort is given.",
      "The container cannot wire arguments of the BerthService: export BerthRepo.",
    ],
    [
      "for an hour of the day",
      "Nov 29 10:00:01 host1 daemon[1]: no route to the sensor",
      "The report of the sensors is made at 10:00.",
    ],
    [
      "with another property of nothing",
      "TypeError: Cannot read properties of undefined (reading 'berths')",
      "`Cannot read properties of undefined (reading 'crew')` means that the roster was not seeded.",
    ],
    [
      "for the name of a language",
      "FATAL: the JavaScript heap of the worker is used up",
      "The house style for JavaScript is two blanks.",
    ],
    [
      "for words that messages of all kinds have",
      "sh: cannot read properties of undefined",
      "It cannot read properties of undefined tenants.",
    ],
    [
      "for a file that is missing elsewhere",
      "ls: cannot access 'plans': No such file or directory",
      "`No such file or directory` for ledger.h: update the submodules.",
    ],
    [
      "for the code of any missing module",
      "Error: Cannot find module 'left'\n  code: 'MODULE_NOT_FOUND'",
      "MODULE_NOT_FOUND for the client: generate it.",
    ],
  ])("and is not %s", (_what, output, memory) => {
    expect(isNamed(output, memory)).toBe(false);
  });
});
