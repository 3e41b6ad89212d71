/** The page of errors lists nothing unused: each code of a request, a field and a failed message occurs. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiErrorCode, apiErrors, type FieldCode, fieldCodes } from "../../src/domain/api-error.ts";
import { messageErrorCodes } from "../../src/domain/message.ts";
import { errorCodesOf } from "../../src/http/openapi-responses.ts";
import { operationsOf } from "../../src/http/resources.ts";
import { inbox } from "../../src/inbound/inbox.ts";
import { canceller } from "../../src/messaging/messages/cancel.ts";
import { tracker } from "../../src/messaging/messages/track.ts";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Answered before an operation is looked up. */
const pathErrors = {
  not_found: () => api.call("GET", "/v1/nothing"),
  method_not_allowed: () => api.call("PUT", "/v1/messages"),
} satisfies Partial<Record<ApiErrorCode, () => Promise<Response>>>;

test("an unknown path and a wrong method are answered with their codes", async () => {
  for (const [code, ask] of Object.entries(pathErrors)) expect(await (await ask()).json()).toMatchObject({ code });
});

test("every code of the registry belongs to an operation whose tests reach it, or to the path", () => {
  const { store, clock } = api;
  const operations = operationsOf({
    ...api,
    tracker: tracker(store),
    canceller: canceller(store, clock),
    inbox: inbox(store, clock),
  });
  const documented = new Set<string>([...operations.flatMap(errorCodesOf), ...Object.keys(pathErrors)]);
  expect([...documented].sort()).toEqual(Object.keys(apiErrors).sort());
});

const single = (changes: object) => api.send("/v1/messages", singleMessage({ ...changes }));
const batch = (messages: unknown[]) => api.send("/v1/messages/batch", { sender, messages });
const item = { recipient: "09121234567", message: "x" };

/** `duplicate` is in the registry but no operation returns it: repeats are merged or refused as a whole. */
const fieldRequests: Readonly<Record<Exclude<FieldCode, "duplicate">, () => Promise<Response>>> = {
  required: () => api.send("/v1/messages", { sender }),
  invalid_type: () => single({ message: 7 }),
  too_short: () => single({ message: "" }),
  too_long: () => single({ message: "x".repeat(2001) }),
  too_few: () => batch([]),
  too_many: () => batch(Array(501).fill(item)),
  invalid_format: () => single({ message: "\u0000" }),
  invalid_phone_number: () => single({ recipient: "123" }),
  out_of_range: () => api.send("/v1/messages/scheduled", singleMessage({ sendAt: "2020-01-01T00:00:00Z" })),
  unknown: () =>
    api.call("POST", "/v1/webhooks/", { body: { url: "https://hooks.peyk.dev/", events: ["message.sent"] } }),
};

test("every code of a field is reached", async () => {
  const answered: string[] = [];
  for (const ask of Object.values(fieldRequests)) answered.push((await (await ask()).json()).errors[0].code);
  expect(answered).toEqual(Object.keys(fieldRequests));
  expect([...answered, "duplicate"].sort()).toEqual([...fieldCodes].sort());
});

test.each(messageErrorCodes)(
  "a message that failed with %s has the code in its record, and the reason in words",
  async (errorCode) => {
    const { trackingCode } = await (await single({})).json();
    await api.store.write(({ messages }) => {
      const row = messages.byCode(api.accountId, trackingCode);
      if (row === null) throw new Error("The message is not stored");
      const submitting = messages.move(row, { to: "submitting", at: api.clock.now() });
      if (submitting !== null) messages.move(submitting, { to: "failed", at: api.clock.now(), errorCode });
    });
    const record = await (await api.call("GET", `/v1/messages/${trackingCode}`)).json();
    expect(record).toMatchObject({
      status: "failed",
      error: { code: errorCode, message: expect.stringMatching(/^[A-Z].+\.$/) },
    });
  },
);
