/** A pattern is used as approved, with valid values, and neither before its approval nor after its end. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PatternMessage } from "../../src/messaging/patterns/pattern-send.ts";
import type { NewPatternInput } from "../../src/messaging/patterns/pattern-service.ts";
import { createSendingServer, requestOf, type SendingServer } from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

let server: SendingServer;
beforeEach(async () => {
  server = await createSendingServer();
});
afterEach(() => server.stop());

const wish: NewPatternInput = {
  accountId: 1,
  code: "welcome",
  name: "Welcome",
  text: "Dear {{name}}, your order {{ order }} is ready.",
  sender: null,
  maxLengths: { order: 8 },
};

const add = (changes: Partial<NewPatternInput> = {}) => server.patterns.add({ ...wish, ...changes });
const approve = () => server.patterns.approve({ code: "welcome" }, "maryam");

function send(message: Partial<PatternMessage> = {}, account = 1) {
  const whole = {
    sender: senderOf(account),
    recipient: "+989121234567",
    variables: { name: "Ali", order: "A-1042" },
    ...message,
  };
  const request = requestOf("POST /v1/patterns/welcome/messages");
  return server.patternSender.send(server.caller(account), request, "welcome", whole);
}

const textOf = async (sending: ReturnType<typeof send>) => {
  const [result] = (await sending).results;
  return server.store.tables.messages.byCode(1, result?.trackingCode ?? "")?.text;
};

describe("a pattern's template id", () => {
  const templateIdOf = async (sending: ReturnType<typeof send>) => {
    const [result] = (await sending).results;
    const { messages, messageTemplates } = server.store.tables;
    return messageTemplates.idOf(messages.byCode(1, result?.trackingCode ?? "")?.id ?? 0);
  };
  const setTo = (templateId: string | null) => server.patterns.setTemplateId({ code: "welcome" }, templateId);

  test("is sent with its messages, as set at hand-over, and is left out if there is none", async () => {
    await add({ templateId: "1107" });
    await approve();
    const sending = send();
    expect(await templateIdOf(sending)).toBe("1107");
    await setTo("1108");
    expect(await templateIdOf(sending)).toBe("1108");
    await setTo(null);
    expect(await templateIdOf(sending)).toBeNull();
    const without = send();
    await without;
    await setTo("1109");
    expect(await templateIdOf(without)).toBeNull();
  });
});

describe("a pattern", () => {
  test("is neither listed nor sent as a draft, both once approved, and listed but not sent when suspended", async () => {
    await add();
    expect(server.patternSender.listed(1)).toEqual([]);
    await expect(send()).rejects.toMatchObject({ code: "pattern_not_sendable" });
    await approve();
    expect(server.patternSender.listed(1)).toMatchObject([
      {
        code: "welcome",
        status: "approved",
        approvedAt: server.clock.now(),
        variables: [
          { name: "name", maxLength: 30 },
          { name: "order", maxLength: 8 },
        ],
      },
    ]);
    expect(await textOf(send())).toBe("Dear Ali, your order A-1042 is ready.");
    await server.patterns.suspend({ code: "welcome" }, "reza");
    expect(server.patternSender.listed(1)).toMatchObject([{ status: "suspended", approvedAt: server.clock.now() }]);
    await expect(send()).rejects.toMatchObject({ code: "pattern_not_sendable" });
    const decisions = server.patterns.show({ code: "welcome" }).decisions;
    expect(decisions.map(({ action, decidedBy }) => [action, decidedBy])).toEqual([
      ["approved", "maryam"],
      ["suspended", "reza"],
    ]);
  });

  test("of another account is not found, as if it never existed", async () => {
    await add();
    await approve();
    await expect(send({}, 2)).rejects.toMatchObject({ code: "pattern_not_found" });
    expect(server.patternSender.listed(2)).toEqual([]);
  });

  test("is replaced by a better draft, but does not change once approved", async () => {
    await add({ text: "typo {{nmae}}", maxLengths: {} });
    await add();
    expect((await server.patterns.list(1)).map(({ pattern }) => pattern.text)).toEqual([wish.text]);
    await approve();
    await expect(add({ text: "other", maxLengths: {} })).rejects.toMatchObject({ code: "pattern_exists" });
    await server.patterns.suspend({ code: "welcome" }, "reza");
    await expect(add({ text: "other", maxLengths: {} })).rejects.toMatchObject({ code: "pattern_exists" });
    expect((await add({ code: "welcome-2", text: "other", maxLengths: {} })).pattern.status).toBe("draft");
  });

  test("shows its longest text before anybody approves it", async () => {
    const { preview } = await add({ text: "{{a}}{{b}}", maxLengths: { a: 100, b: 61 } });
    expect(preview.latin).toEqual({ encoding: "Latin", characterCount: 161, partCount: 2 });
    expect(preview.persian).toEqual({ encoding: "Persian", characterCount: 161, partCount: 3 });
  });

  test("is refused with every reason, for an unknown account or sender, and by an unknown or ambiguous code", async () => {
    await expect(add({ text: "{{two words}}", maxLengths: { other: 3 } })).rejects.toMatchObject({
      code: "invalid",
      problems: [{ key: "text" }, { key: "maxLengths" }],
    });
    await expect(add({ accountId: 9 })).rejects.toMatchObject({ code: "account_not_found" });
    await expect(add({ sender: "nobody" })).rejects.toMatchObject({ code: "sender_not_found" });
    await expect(approve()).rejects.toMatchObject({ code: "pattern_not_found" });
    await add();
    await add({ accountId: 2 });
    await expect(approve()).rejects.toMatchObject({ code: "code_ambiguous" });
  });
});

describe("sending by a pattern", () => {
  test("names every value that is missing, unknown or too long", async () => {
    await add();
    await approve();
    const variables = { order: "123456789", colour: "red" };
    await expect(send({ variables })).rejects.toMatchObject({
      code: "validation_failed",
      problems: [
        { field: "variables.name", code: "required" },
        { field: "variables.order", code: "too_long" },
        { field: "variables.colour", code: "unknown" },
      ],
    });
  });

  test("inserts a value unchanged, even if it looks like a variable", async () => {
    await add();
    await approve();
    expect(await textOf(send({ variables: { name: "{{order}}", order: "1" } }))).toBe(
      "Dear {{order}}, your order 1 is ready.",
    );
  });

  test("allows 2000 characters with the values filled in, at both edges", async () => {
    await add({ text: `${"x".repeat(1990)}{{name}}`, maxLengths: { name: 11 } });
    await approve();
    expect(await textOf(send({ variables: { name: "y".repeat(10) } }))).toHaveLength(2000);
    await expect(send({ variables: { name: "y".repeat(11) } })).rejects.toMatchObject({
      problems: [{ field: "variables", code: "too_long" }],
    });
  });

  test("uses the sender of the request, the pattern or the account's default, or is refused", async () => {
    await add();
    await approve();
    await expect(send({ sender: null })).rejects.toMatchObject({ problems: [{ field: "sender", code: "required" }] });
    await expect(send({ sender: senderOf(2) })).rejects.toMatchObject({ code: "sender_not_permitted" });
    await add({ code: "signed", sender: senderOf(1), text: "Hello", maxLengths: {} });
    await server.patterns.approve({ code: "signed" }, "x");
    const request = requestOf("POST /v1/patterns/signed/messages");
    const message = { recipient: "+989121234567", variables: {} };
    expect((await server.patternSender.send(server.caller(), request, "signed", message)).results).toHaveLength(1);
  });
});
