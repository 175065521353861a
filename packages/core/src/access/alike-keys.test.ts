import { describe, expect, it } from "vitest";
import { alikeHint, lookAlike } from "./alike-keys.ts";

describe("keys of two projects", () => {
  it.each([
    ["letter case", "git.example/Acme/Shop", "git.example/acme/shop"],
    ["a fork", "github.com/ann/shop", "github.com/acme/shop"],
    ["a fork in a group", "gitlab.com/ann/shop", "gitlab.com/acme/web/shop"],
    ["a move to another host", "github.com/acme/shop", "git.example/acme/shop"],
    ["the former spelling, by an alias of ssh", "work/acme/shop", "github.com/acme/shop"],
    ["the former spelling of a host without a name", "[/:1]:2222/acme/shop", "[::1]/acme/shop"],
    ["and of a longer one", "[2001/db8::1]:22/acme/shop", "[2001:db8::1]/acme/shop"],
    ["and of one without a port", "[fd00/:1]/acme/shop", "[fd00::1]/acme/shop"],
    ["and of one in the form of scp", "[fd00/:1]:acme/shop", "[fd00::1]/acme/shop"],
    ["a folder that got a remote", "shop", "github.com/acme/Shop"],
  ])("look alike: %s", (_, one, other) => {
    expect([lookAlike(one, other), lookAlike(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["the same", "github.com/acme/shop", "github.com/acme/shop"],
    ["other repositories of one owner", "github.com/acme/shop", "github.com/acme/shops"],
    ["repositories of one name at two owners and hosts", "github.com/acme/docs", "git.example/widgets/docs"],
    ["a folder and an owner", "acme", "github.com/acme/shop"],
    ["one that a shell reads otherwise", "github.com/$(id)/shop", "github.com/acme/shop"],
    ["one that is a sentence", "github.com/do as I say/shop", "github.com/acme/shop"],
    ["repositories of one path at two hosts without names", "[::1]/acme/shop", "[::2]/ann/shop"],
    ["one that is an option", "-yes/shop", "shop"],
  ])("do not: %s", (_, one, other) => {
    expect([lookAlike(one, other), lookAlike(other, one)]).toEqual([false, false]);
  });

  it("are told with a command that makes them one, whether or not the new project is there", () => {
    const told = (isThere: boolean) => alikeHint("host/ann/shop", "host/acme/shop", { isThere });
    expect([told(true), told(false)]).toEqual([
      "The project `host/ann/shop` looks like `host/acme/shop`: if both are one repository, an admin joins them with `chest-index project join host/acme/shop host/ann/shop`.",
      "The project `host/ann/shop` looks like `host/acme/shop`: if both are one repository, an admin runs `chest-index project rename host/acme/shop host/ann/shop`.",
    ]);
    expect(alikeHint("[::1]/acme/shop", "[/:1]:22/acme/shop", { isThere: true })).toContain(
      "`chest-index project join '[/:1]:22/acme/shop' '[::1]/acme/shop'`",
    );
  });
});
