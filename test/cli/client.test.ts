/** Calls of the operator API over the socket: paths, queries, bodies and refusals. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { operatorClient } from "../../src/cli/client.ts";
import type { OperatorClient } from "../../src/operator/client.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let server: Bun.Server<undefined>;
let api: OperatorClient;
let heard: { request: string; body: string }[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  heard = [];
  const path = join(folder.path, "peyk.sock");
  server = Bun.serve({
    unix: path,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      heard.push({ request: `${request.method} ${pathname}${search}`, body: await request.text() });
      return Response.json({ code: "message_not_found", message: "There is none." }, { status: 404 });
    },
  });
  api = operatorClient({ path, dataDir: folder.path, user: "sam" });
});
afterEach(async () => {
  await server.stop(true);
  folder.remove();
});

test("a path parameter never changes which endpoint is called, whatever it contains", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.constantFrom("..", ".", "../keys/key_1/revoke?", "a/b", "%2e%2e", "x#y")),
      async (text) => {
        heard = [];
        await api("PATCH /accounts/:id/senders/:sender", { id: text, sender: text, active: false }).catch(() => {});
        const segment = encodeURIComponent(text);
        const request = `PATCH /accounts/${segment}/senders/${segment}`;
        expect(heard).toEqual(["", ".", ".."].includes(text) ? [] : [{ request, body: '{"active":false}' }]);
      },
    ),
  );
});

test("the client omits undefined fields, and sends queries and bodies as given", async () => {
  await api("POST /keys", { account: "acc_1", name: "a/b", rate: undefined }).catch(() => {});
  await api("GET /messages", { recipient: "0912/1", limit: 5, sender: undefined }).catch(() => {});
  await api("GET /routes").catch(() => {});
  expect(heard).toEqual([
    { request: "POST /keys", body: '{"account":"acc_1","name":"a/b"}' },
    { request: "GET /messages?recipient=0912%2F1&limit=5", body: "" },
    { request: "GET /routes", body: "" },
  ]);
});

test("the client throws a refusal with its code and message", async () => {
  const shown = api("GET /messages/:trackingCode", { trackingCode: "x1" });
  await expect(shown).rejects.toMatchObject({ code: "message_not_found", message: "There is none." });
});
