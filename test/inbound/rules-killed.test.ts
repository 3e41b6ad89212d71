/** The process is killed while texts come in: each that is on disk has its one reply, and no other message is. */
import { expect, test } from "bun:test";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const rounds = 3;
const phones = 40;

const count = (folder: string, sql: string) => rowsIn<{ count: number }>(folder, sql)[0]?.count ?? 0;

test("a kill between a text and its reply leaves neither or both", async () => {
  const { path: folder, remove } = temporaryFolder();
  const start = () => PeykProcess.start({ folder });
  let peyk = await start();
  const { accountId, sender } = await peyk.customer();
  await peyk.operate("POST", "/lines", { number: sender, account: accountId });
  await peyk.operate("POST", `/lines/${sender}/rules`, { match: "any", reply: "Thank you." });
  for (let round = 1; round <= rounds; round += 1) {
    const stored = () => count(folder, "SELECT count(*) AS count FROM inbound");
    const before = stored();
    const texts = Array.from({ length: phones }, (_, index) => {
      const from = `0912${round}0000${String(index).padStart(2, "0")}`;
      return peyk.operate("POST", "/inbound/simulate", { from, to: sender, message: "hello" }).catch(() => null);
    });
    await eventually(() => stored() > before);
    await peyk.kill();
    await Promise.all(texts);
    peyk = await start();
  }
  await peyk.stop();
  const perPhone = rowsIn<{ phone: string; texts: number; replies: number }>(
    folder,
    `SELECT sender AS phone, count(*) AS texts,
       (SELECT count(*) FROM message WHERE recipient = inbound.sender) AS replies
     FROM inbound GROUP BY sender`,
  );
  expect(perPhone.length).toBeGreaterThan(0);
  expect(perPhone.filter(({ texts, replies }) => texts !== replies)).toEqual([]);
  expect(count(folder, "SELECT count(*) AS count FROM message")).toBe(perPhone.length);
  expect(count(folder, "SELECT sum(uses) AS count FROM inbound_rule")).toBe(perPhone.length);
  remove();
});
