/** The process is killed while a program sends with a token: what was answered stands, and a repeat sends nothing twice. */
import { expect, test } from "bun:test";
import { PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const [programs, requests] = [8, 12];

test("a kill in the middle of requests with a token loses and doubles nothing", async () => {
  const { path: folder, remove } = temporaryFolder();
  const peyk = await PeykProcess.start({ folder });
  const { accountId: account, sender } = await peyk.customer();
  await peyk.operate("POST", "/users", { name: "omid", role: "owner" });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { token, id } = await peyk.operate("POST", "/tokens", { user: "omid", name: "agent", expiresAt });
  await peyk.operate("PUT", `/tokens/${id}/freed`, { freed: ["POST /messages"] });
  const answered = new Set<string>();
  const send = async (base: string, message: string) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ account, sender, recipients: ["+989121234567"], message, idempotencyKey: message });
    const { ok } = await fetch(`${base}/api/messages`, { method: "POST", headers, body });
    if (ok) answered.add(message);
  };
  const names = Array.from({ length: programs }, (_, program) =>
    Array.from({ length: requests }, (_, request) => `${program}.${request}`),
  );
  const sendAll = (base: string) =>
    Promise.allSettled(
      names.map(async (own) => {
        for (const message of own) await send(base, message);
      }),
    );
  const texts = () => rowsIn<{ text: string }>(folder, "SELECT text FROM message").map(({ text }) => text);
  const killed = (async () => {
    while (answered.size < 50) await Bun.sleep(1);
    await peyk.kill();
  })();
  const ends = await sendAll(peyk.consoleUrl);
  await killed;
  expect(ends.every(({ status }) => status === "rejected")).toBe(true);
  const stored = texts();
  expect([...answered].filter((message) => !stored.includes(message))).toEqual([]);
  const again = await PeykProcess.start({ folder });
  expect((await sendAll(again.consoleUrl)).every(({ status }) => status === "fulfilled")).toBe(true);
  expect(texts().sort()).toEqual(names.flat().sort());
  await again.stop();
  remove();
});
