/** What claims give. */
import { expect, test } from "bun:test";
import { claimAt, roleGiven, userNameFrom } from "../../src/domain/oidc-claims.ts";

test("a claim is found by its whole name, then by its way into objects, and only among own properties", () => {
  const claims = { realm_access: { roles: ["a"] }, "https://example.com/groups": ["b"], groups: ["c"] };
  expect(claimAt(claims, "realm_access.roles")).toEqual(["a"]);
  expect(claimAt(claims, "https://example.com/groups")).toEqual(["b"]);
  for (const name of ["groups.length.x", "__proto__", "constructor", "realm_access.missing", "a.b.c"]) {
    expect([name, claimAt(claims, name)]).toEqual([name, undefined]);
  }
});

test("the first entry that matches gives the role, by its whole value", () => {
  const roles = ["owner", "support"] as const;
  const given = (groups: unknown, ...mapping: string[]) => roleGiven({ groups }, "groups", { mapping, roles });
  expect(given(["b", "a"], "a=owner", "b=support")).toBe("owner");
  expect(given(["b", "a"], "b=support", "a=owner")).toBe("support");
  expect(given("x=y", "x=y=owner")).toBe("owner");
  expect(given(["admins2", "Admins", " admins"], "admins=owner")).toMatchObject({ kind: "no_match" });
  expect(given([], "a=owner")).toMatchObject({ kind: "no_match" });
});

test("a name is small Latin letters, of what the provider calls the person or of its subject", () => {
  expect(userNameFrom({ preferred_username: "Sara K" }, "1")).toBe("sara-k");
  expect(userNameFrom({ preferred_username: "سارا", email: "sara@example.com" }, "1")).toBe("sara@example.com");
  expect(userNameFrom({ preferred_username: 7 }, "AB-12")).toBe("ab-12");
  expect(userNameFrom({}, "؟")).toBe("person");
  expect(userNameFrom({ preferred_username: "../../x<script>" }, "1")).toMatch(/^[a-z0-9][a-z0-9._@+-]{1,63}$/);
});
