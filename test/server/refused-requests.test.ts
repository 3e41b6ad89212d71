/** What an account's refused requests become, whichever way in they came: counted by cause, and shown with what to do. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { operatorClient } from "../../src/cli/client.ts";
import { apiErrors, fieldCodes } from "../../src/domain/api-error.ts";
import { englishRefusals, refusalReasonOf } from "../../src/domain/refused-request.ts";
import { refusalCodes } from "../../src/drop-in/refusal.ts";
import { draftProblems } from "../../src/messaging/messages/draft.ts";
import { namedStatus } from "../../src/smpp/constants.ts";
import { customerStatus } from "../../src/smpp-server/customer-status.ts";
import { signedInAs } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { CustomerServer } from "../support/customer-server.ts";

let server: CustomerServer;
let api: ReturnType<typeof operatorClient>;

beforeAll(async () => {
  const env = { PEYK_DROP_IN_LISTEN: "127.0.0.1:0", PEYK_PORTAL_LISTEN: "127.0.0.1:0" };
  server = await CustomerServer.start([{}, { systemId: "other" }], env);
  api = operatorClient({ path: server.running.socketPath, dataDir: server.folder, user: "tester" });
});
afterAll(() => server.stop());

async function sent(body: object, key = server.customer.apiKey): Promise<number> {
  const response = await fetch(`${server.running.url}/v1/messages`, {
    method: "POST",
    headers: { "X-API-Key": key, "Idempotency-Key": crypto.randomUUID(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.status;
}

const good = { sender: "30001234", recipient: "+989121234500", message: "Hello" };

test("refusals by the API, SMPP and Kannel are grouped; accepted requests and strangers count nowhere", async () => {
  expect(await sent(good)).toBe(202);
  expect(await sent({ ...good, recipient: "+98912" })).toBe(400);
  expect(await sent({ ...good, recipient: "12" })).toBe(400);
  expect(await sent({ ...good, sender: "10004000" })).toBe(403);
  expect(await sent(good, "pk_unknown")).toBe(401);
  const bound = await server.bound();
  expect((await bound.submit({ source_addr: "10004000" })).status).toBe(0x0a);
  bound.close();
  const { keyId, accountId } = server.customer;
  await api("POST /credentials", {
    key: `key_${keyId}`,
    kind: "kannel",
    name: "shop",
    password: "password-of-shop",
    traffic: "single",
  });
  const query = new URLSearchParams({
    username: "shop",
    password: "password-of-shop",
    to: "12",
    text: "x",
    from: "30001234",
  });
  expect((await fetch(`${server.running.dropInUrl}/cgi-bin/sendsms?${query}`)).status).toBe(400);

  const errors = await api("GET /accounts/:id/errors", { id: `acc_${accountId}` });
  expect(errors).toMatchObject({ count: 5, others: 0 });
  expect(errors.kinds.map(({ way, reason, status, count }) => [way, reason, status, count])).toEqual([
    ["api", "recipient", 400, 2],
    ["kannel", "recipient", null, 1],
    ["smpp", "sender", 0x0a, 1],
    ["api", "sender", 403, 1],
  ]);
  expect(errors.kinds[0]).toMatchObject({
    code: "validation_failed",
    fieldCode: "invalid_phone_number",
    by: { id: `key_${keyId}`, name: "smpp" },
    goesOn: true,
    example: { request: "POST /v1/messages", field: "recipient", sender: null },
  });
  expect(errors.kinds.at(-1)?.example.sender).toBe("10004000");
  expect(JSON.stringify(errors)).not.toContain("Hello");
  expect((await api("GET /accounts/:id/errors", { id: "acc_2" })).count).toBe(0);
});

test("the portal shows a customer its own errors, in both languages, and nobody else's", async () => {
  const { portalUrl } = server.running;
  const url = portalUrl ?? "";
  const consoleUrl = server.running.consoleUrl;
  const customer = await signedInAs({ api, consoleUrl }, "customer", { name: "sara", account: "acc_1", url });
  const page = plainText(await (await customer.get("/errors")).text());
  expect(page).toContain("The recipient is not a mobile number");
  expect(page).toContain("The sender is not yours");
  expect(page).toMatch(/Since .*, when the service was started/);
  const onlySmpp = plainText(await (await customer.get("/errors?way=smpp")).text());
  expect(onlySmpp).toContain("0x0000000A sender_not_permitted");
  expect(onlySmpp).not.toContain("invalid_phone_number");
  await customer.post("/preferences", { language: "fa", back: "/errors" });
  expect(plainText(await (await customer.get("/errors")).text())).toContain("گیرنده شمارهٔ همراه نیست");
  expect((await customer.get("/accounts/acc_2/errors")).status).toBe(404);
  const other = await signedInAs({ api, consoleUrl }, "customer", { name: "omid", account: "acc_2", url });
  expect(plainText(await (await other.get("/errors")).text())).toContain("Nothing was refused");
  const support = await signedInAs({ api, consoleUrl }, "support");
  expect(plainText(await (await support.get("/accounts/acc_1/errors")).text())).toContain("The sender is not yours");
});

test("every code that a way in may refuse with has a reason, and every reason its words", () => {
  const statuses = Object.values(customerStatus)
    .filter((status) => status !== customerStatus.ok)
    .map((status) => namedStatus(status).statusName ?? "");
  const onlyAtBinds = ["ESME_RBINDFAIL", "ESME_RINVPASWD", "ESME_RINVSYSID"];
  const api = Object.keys(apiErrors).filter((code) => code !== "validation_failed");
  const codes = [...api, ...fieldCodes, ...refusalCodes, ...draftProblems, "malformed", ...statuses];
  expect(codes.filter((code) => refusalReasonOf(code) === null && !onlyAtBinds.includes(code))).toEqual([]);
  expect(Object.values(englishRefusals).filter(({ title, advice }) => title === "" || advice === "")).toEqual([]);
});
