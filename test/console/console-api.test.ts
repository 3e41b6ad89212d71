/** The operator API as pages call it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { answered, consoleApi } from "../../src/console/data/console-api.ts";

const caller = { actor: "sam", origin: "console 127.0.0.1", accountId: null, userId: null };

function recorded() {
  const paths: string[] = [];
  const api = consoleApi((request) => {
    paths.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({ code: "message_not_found", message: "There is none." }, { status: 404 });
  }, caller);
  return { api, paths };
}

test("whatever stands in the place of a code, the call stays the one that was meant", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.constantFrom("..", ".", "../keys/key_1/revoke?", "a/b", "%2e%2e", "x#y")),
      async (text) => {
        const { api, paths } = recorded();
        const call = async () =>
          answered(api.accounts({ id: text }).senders({ sender: text }).patch({ active: false }));
        await call().catch(() => {});
        const segment = encodeURIComponent(text);
        const isNone = ["", ".", ".."].includes(text);
        expect(paths).toEqual(isNone ? [] : [`PATCH /accounts/${segment}/senders/${segment}`]);
      },
    ),
  );
});

test("a refusal of the operator API is thrown with its code and its words", async () => {
  const { api } = recorded();
  const shown = answered(api.messages({ trackingCode: "x1" }).get());
  await expect(shown).rejects.toMatchObject({ code: "message_not_found", message: "There is none." });
});

test("bodies and queries are sent as they are", async () => {
  const { api, paths } = recorded();
  await answered(api.keys.post({ account: "acc_1", name: "a/b" })).catch(() => {});
  await answered(api.messages.get({ query: { recipient: "0912/1" } })).catch(() => {});
  expect(paths).toEqual(["POST /keys", "GET /messages"]);
});
