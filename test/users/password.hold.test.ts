/** No input as a password blocks the event loop. */
import { expect, test } from "bun:test";
import { PasswordHasher, passwordProblem } from "../../src/users/password.ts";
import { expectNoHold } from "../support/longest-turn.ts";

const asker = { lane: "console", client: "", isStranger: true } as const;
const accents = "\u0323\u0301";

test("64 KB of combining marks are refused as a password without being normalized first", async () => {
  const hasher = new PasswordHasher();
  const typed = accents.repeat(16_000);
  // With normalisation, they took two seconds.
  await expectNoHold(async () => {
    expect(await hasher.verify(typed, null, asker)).toBe(false);
    expect(await passwordProblem(typed, "sara")).toBe("too_long");
  });
});

test("the longest password is accepted, whatever its characters", async () => {
  const hasher = new PasswordHasher();
  for (const character of ["a", "\u0301", "😀"]) {
    const longest = `kettles ${character.repeat(248)}`;
    expect(await passwordProblem(longest, "sara")).toBeNull();
    expect(await passwordProblem(`${longest}x`, "sara")).toBe("too_long");
    const hash = await hasher.hash(longest, asker);
    expect([await hasher.verify(longest, hash, asker), await hasher.verify(`${longest}x`, hash, asker)]).toEqual([
      true,
      false,
    ]);
  }
});
