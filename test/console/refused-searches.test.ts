/** A refused query is explained to its reader and is not a defect: the log does not mention it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import pino from "pino";
import { MessageEvents } from "../../src/console/places/messages/message-events.tsx";
import { OperatorError } from "../../src/domain/operator-error.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { ManualClock } from "../support/manual-clock.ts";

const lines: string[] = [];
let server: ConsoleProcess;
let support: FormClient;
beforeAll(async () => {
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  server = await startConsole(undefined, { log });
  support = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

test("a list opened with an invalid address says what is wrong, and links to the whole list", async () => {
  lines.length = 0;
  for (const path of ["/messages", "/inbound", "/audit"]) {
    const refused = await support.get(`${path}?before=none.such`);
    const html = await refused.text();
    expect({ path, status: refused.status }).toEqual({ path, status: 400 });
    expect(html).toContain("This address does not work");
    expect(html).toContain(`href="${path}"`);
  }
  expect((await support.get("/messages/live?since=none.such", { Accept: "text/event-stream" })).status).toBe(400);
  // The field takes any text, and says that it names none.
  expect((await support.get("/messages?route=nowhere")).status).toBe(422);
  expect((await support.get("/messages.csv?account=acc_99")).status).toBe(404);
  expect(lines).toEqual([]);
});

test("an open list stops asking once its request is refused", async () => {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void told.push(line) });
  let asked = 0;
  const count = async () => {
    asked += 1;
    throw asked === 1 ? new Error("the reading thread failed") : new OperatorError("route_not_found");
  };
  const events = new MessageEvents({ clock, log }).for({
    locale: { language: "en", zone: "UTC" },
    href: "/messages",
    count,
  });
  const stop = events.start(() => {});
  await clock.advance(120_000);
  expect(asked).toBe(2);
  expect(told).toEqual([expect.stringContaining("the reading thread failed")]);
  stop();
});
