import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

interface Page {
  messages: { trackingCode: string }[];
  nextCursor: string | null;
}

function isPage(body: unknown): body is Page {
  return (
    typeof body === "object" &&
    body !== null &&
    "messages" in body &&
    Array.isArray(body.messages) &&
    "nextCursor" in body
  );
}

async function search(query: Record<string, string>): Promise<{ codes: string[]; nextCursor: string | null }> {
  const { body } = await server.call("GET", `/messages?${new URLSearchParams(query)}`);
  if (!isPage(body)) throw new Error(JSON.stringify(body));
  return { codes: body.messages.map((message) => message.trackingCode), nextCursor: body.nextCursor };
}

describe("a message search", () => {
  test("finds by account, sender, recipient in any spelling, reference, status and time, newest first", async () => {
    await server.storeMessage({ trackingCode: "A" });
    server.clock.jump(60_000);
    await server.storeMessage({ trackingCode: "B", recipient: "+989351112233", clientReference: "inv-7" });
    server.clock.jump(60_000);
    await server.storeMessage({ trackingCode: "C", accountId: 2, sender: "30002" });
    await server.store.write((tables) => {
      const row = tables.messages.byCodeAnywhere("B");
      if (row !== null) tables.messages.move(row, { to: "failed", at: server.clock.now(), errorCode: "expired" });
    });
    expect((await search({})).codes).toEqual(["C", "B", "A"]);
    expect((await search({ account: "acc_1" })).codes).toEqual(["B", "A"]);
    expect((await search({ sender: "30002" })).codes).toEqual(["C"]);
    expect((await search({ recipient: "۰۹۳۵۱۱۱۲۲۳۳" })).codes).toEqual(["B"]);
    expect((await search({ reference: "inv-7" })).codes).toEqual(["B"]);
    expect((await search({ status: "failed" })).codes).toEqual(["B"]);
    expect((await search({ status: "queued", account: "1" })).codes).toEqual(["A"]);
    expect((await search({ from: "2026-01-05T12:01:00Z", to: "2026-01-05T12:02:00Z" })).codes).toEqual(["B"]);
    expect((await search({ before: "B" })).codes).toEqual(["A"]);
  });

  /** The codes of each page, to the end. */
  async function pagesOf(query: Record<string, string>): Promise<string[][]> {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await search({ ...query, ...(cursor !== null && { cursor }) });
      pages.push(page.codes);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return pages;
  }

  test("returns every match once, page by page", async () => {
    const codes = trackingCodes(server.clock, systemRandom);
    const stored: string[] = [];
    for (let index = 0; index < 25; index += 1)
      stored.unshift(await server.storeMessage({ trackingCode: codes.next() }));
    const pages = await pagesOf({ limit: "10" });
    expect(pages.flat()).toEqual(stored);
    expect(pages[0]).toHaveLength(10);
  });

  test("finds by the name of a route what earlier routes of that name sent", async () => {
    const addRoute = async (code: string) => {
      const { id } = await server.routes.add("far", "simulator", {});
      await server.storeMessage({ trackingCode: code });
      await server.store.write((tables) => {
        const row = tables.messages.byCodeAnywhere(code);
        if (row !== null) tables.messages.move(row, { to: "submitting", at: server.clock.now(), routeId: id });
      });
    };
    await addRoute("A");
    await server.call("DELETE", "/routes/far");
    expect((await search({ route: "far" })).codes).toEqual(["A"]);
    await addRoute("B");
    await server.storeMessage({ trackingCode: "C" });
    expect((await search({ route: "far" })).codes).toEqual(["B", "A"]);
  });

  test("searches 30,000 messages for an old one without blocking the event loop", async () => {
    await server.storeMessage({ trackingCode: "NEEDLE", recipient: "+989351112233" });
    const row = server.store.tables.messages.byCodeAnywhere("NEEDLE");
    if (row === null) throw new Error("not stored");
    await server.store.write((tables) => {
      for (let index = 0; index < 30_000; index += 1)
        tables.messages.insert({ ...row, trackingCode: `N${index}`, recipient: "+989120000000" });
    });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    // On a busy machine a page ends before all messages were read.
    const pages = await pagesOf({ recipient: "+989351112233" });
    clearInterval(turning);
    expect(pages.flat()).toEqual(["NEEDLE"]);
    expect(turns).toBeGreaterThan(1);
  });

  test("refuses invalid filters", async () => {
    const wrong: Record<string, string>[] = [
      { status: "lost" },
      { recipient: "12" },
      { from: "yesterday" },
      { limit: "0" },
      { limit: "501" },
      { cursor: "!" },
    ];
    for (const query of wrong) {
      expect(await server.call("GET", `/messages?${new URLSearchParams(query)}`)).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
    }
    expect((await server.call("GET", "/messages?limit=500")).status).toBe(200);
    expect(await server.call("GET", "/messages?before=NONE")).toMatchObject({
      status: 404,
      body: { code: "message_not_found" },
    });
  });
});

describe("a shown message", () => {
  test("says how often it may have arrived after unanswered attempts", async () => {
    await server.storeMessage({ trackingCode: "A" });
    await server.store.write((tables) => {
      const at = server.clock.now();
      const row = tables.messages.byCodeAnywhere("A");
      const claimed = row && tables.messages.move(row, { to: "submitting", at, routeId: 1, attempts: 3 });
      if (claimed === null) throw new Error("not claimed");
      tables.messages.move(claimed, { to: "failed", at, errorCode: "undeliverable", uncertainAttempts: 3 });
    });
    const message = "It is not known whether the message was delivered: the network did not answer.";
    expect((await server.call("GET", "/messages/A")).body).toMatchObject({
      error: { code: "undeliverable", message },
      possibleArrivals: 3,
      history: [{ status: "queued" }, { status: "processing" }, { status: "failed", note: message }],
    });
    const { out } = await runCli(["message", "show", "A", "--data-dir", server.folder]);
    expect(out).toMatch(/Why +undeliverable: It is not known.*\nDelivery +may have arrived 3 times\n/);
  });

  test("has its text, history, parts and timeline", async () => {
    await server.storeMessage({ trackingCode: "A" });
    await server.store.write((tables) => {
      const row = tables.messages.byCodeAnywhere("A");
      const claimed =
        row && tables.messages.move(row, { to: "submitting", at: server.clock.now(), routeId: 1, attempts: 1 });
      if (claimed === null) throw new Error("not claimed");
      tables.parts.insert(claimed.id, 1, 1, "smsc-77");
      tables.timeline.add(claimed.id, {
        at: server.clock.now(),
        kind: "temporary",
        routeId: 1,
        reason: { code: "plain", words: "busy" },
      });
    });
    expect((await server.call("GET", "/messages/A")).body).toMatchObject({
      trackingCode: "A",
      account: "acc_1",
      accountName: "Clinic",
      message: "سلام",
      status: "processing",
      state: "submitting",
      class: "single",
      route: "simulator",
      error: null,
      history: [{ status: "queued" }, { status: "processing" }],
      parts: [{ number: 1, route: "simulator", providerId: "smsc-77", receipt: null }],
      timeline: [{ kind: "temporary", route: "simulator", detail: "busy", reason: { code: "plain", words: "busy" } }],
      callbacks: [],
    });
  });

  test("says why it waits, in words and as a code, in a list too", async () => {
    await server.storeMessage({ trackingCode: "A", sendAt: server.clock.now() + 60_000 });
    const waits = {
      waits: "due at 2026-01-05 12:01:00Z",
      waitReason: { code: "waits_due", at: Date.parse("2026-01-05T12:01:00Z") },
      dueAt: "2026-01-05T12:01:00.000Z",
    };
    expect((await server.call("GET", "/messages/A")).body).toMatchObject(waits);
    expect((await server.call("GET", "/messages")).body).toMatchObject({
      messages: [{ ...waits, accountName: "Clinic" }],
    });
  });

  test("is not found for another account", async () => {
    await server.storeMessage({ trackingCode: "A" });
    await server.call("POST", "/accounts", { name: "Other" });
    expect((await server.call("GET", "/messages/A?account=acc_1")).body).toMatchObject({ trackingCode: "A" });
    expect(await server.call("GET", "/messages/A?account=acc_2")).toMatchObject({
      status: 404,
      body: { code: "message_not_found" },
    });
  });

  test("hides the text of a one-time password", async () => {
    await server.storeMessage({ trackingCode: "OTP", class: 0, text: "Code 482913" });
    const shown = await server.call("GET", "/messages/OTP");
    expect(shown.body).toMatchObject({ class: "otp", message: null });
    expect(JSON.stringify([shown, await server.call("GET", "/messages")])).not.toContain("482913");
  });

  test("is answered 404 if it does not exist", async () => {
    expect(await server.call("GET", "/messages/NONE")).toMatchObject({
      status: 404,
      body: { code: "message_not_found" },
    });
  });
});
