/** The countries that an account may send to: those of the settings, or its own list. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi({ sendingCountries: ["IR"] });
});
afterAll(() => api.stop());

const turkish = "+905321234567";
const refusedAt = (field: string, message = "country") => ({
  status: 400,
  body: {
    code: "validation_failed",
    errors: [{ field, code: "out_of_range", message: expect.stringContaining(message) }],
  },
});

async function answerTo(path: string, body: object) {
  const response = await api.send(path, body);
  return { status: response.status, body: await response.json() };
}

async function group(code: string, numbers: readonly string[]): Promise<void> {
  await api.groups.service.create(api.accountId, code, code);
  async function* file() {
    yield new TextEncoder().encode(["mobile", ...numbers].join("\n"));
  }
  await api.groups.service.import({ code }, file(), { progress: () => {}, problem: () => {}, repeated: () => {} });
  await api.groups.service.approve({ code }, "maryam");
}

describe("with sending.countries set", () => {
  test("a recipient of another country is refused as out_of_range, wherever a request names one", async () => {
    const refused = refusedAt("recipient");
    expect(await answerTo("/v1/messages", singleMessage({ recipient: turkish }))).toMatchObject(refused);
    const sendAt = new Date(api.clock.now() + 3_600_000).toISOString();
    const later = singleMessage({ recipient: turkish, sendAt });
    expect(await answerTo("/v1/messages/scheduled", later)).toMatchObject(refused);
    expect(await answerTo("/v1/otp/challenges", { sender, recipient: turkish })).toMatchObject(refused);
    expect(await answerTo("/v1/otp/codes", { sender, recipient: turkish, code: "4321" })).toMatchObject(refused);
    const messages = ["09121234567", turkish].map((recipient) => ({ recipient, message: "Hi" }));
    expect(await answerTo("/v1/messages/batch", { sender, messages })).toMatchObject(
      refusedAt("messages[1].recipient"),
    );
  });

  test("a recipient that is not a mobile number keeps its own error", async () => {
    expect(await answerTo("/v1/messages", singleMessage({ recipient: "12345" }))).toMatchObject({
      body: { errors: [{ field: "recipient", code: "invalid_phone_number" }] },
    });
  });

  test("a country in the list is served, in national spelling too", async () => {
    expect((await answerTo("/v1/messages", singleMessage())).status).toBe(202);
    expect((await answerTo("/v1/messages", singleMessage({ recipient: "+989351234567" }))).status).toBe(202);
  });

  test("a group with members of other countries is refused with their number", async () => {
    await group("home", ["09121234567"]);
    await group("mixed", ["09121234567", turkish]);
    expect((await answerTo("/v1/approved-groups/home/messages", { sender, message: "Hi" })).status).toBe(202);
    const mixed = await answerTo("/v1/approved-groups/mixed/messages", { sender, message: "Hi" });
    expect(mixed).toMatchObject(refusedAt("recipient", "1 of 2 members"));
  });

  test("an account's own list replaces the settings', and an empty one allows every country", async () => {
    const send = async (recipient: string) => (await api.send("/v1/messages", singleMessage({ recipient }))).status;
    await api.accounts.update(api.accountId, { countries: "TR GB" });
    expect([await send(turkish), await send("+447400123456"), await send("09121234567")]).toEqual([202, 202, 400]);
    // Guernsey shares +44.
    expect(await send("+447781123456")).toBe(400);
    await api.accounts.update(api.accountId, { countries: "" });
    expect([await send(turkish), await send("09121234567")]).toEqual([202, 202]);
    await api.accounts.update(api.accountId, { countries: null });
    expect([await send(turkish), await send("09121234567")]).toEqual([400, 202]);
  });
});
