/** Measures what asking for the reports of 100,000 open messages costs: `bun test/bench/polling.ts [messages] [seconds]`. */
import { OverdueReceipts } from "../../src/dispatch/overdue-receipts.ts";
import { routeStorage } from "../../src/dispatch/route-storage.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const [messages, seconds] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 30)];
const routeId = 1;
/** The interval at which the route polls. */
const everyMs = 30_000;
const inTransaction = 5_000;

/** Open messages of the route; each was asked for `asked` times and is due again within the next `spreadMs`. */
async function fill(store: Store, asked: number, spreadMs: number): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < messages; from += inTransaction) {
    await store.write((tables) => {
      for (let index = from; index < Math.min(from + inTransaction, messages); index += 1) {
        const id = tables.messages.insert({
          trackingCode: `code-${index}`,
          accountId: 1,
          senderId: 1,
          class: 1,
          sender: "3000",
          recipient: "+989121234550",
          text: "سلام",
          clientReference: null,
          encoding: "Persian",
          characterCount: 4,
          partCount: 1,
          submittedAt: now,
          sendAt: null,
          validUntil: now + 86_400_000,
        });
        const row = tables.messages.byId(id);
        const submitting =
          row === null ? null : tables.messages.move(row, { to: "submitting", at: now, routeId, attempts: 1 });
        if (submitting === null) throw new Error("The message cannot be submitted");
        tables.messages.move(submitting, { to: "submitted", at: now });
        const part = { messageId: id, number: 1 };
        tables.parts.insert(part.messageId, part.number, routeId, `m${index}`);
        const dueAt = now + Math.floor((spreadMs * index) / messages / everyMs) * everyMs;
        tables.awaitedReceipts.insert({ routeId, dueAt, messageId: id, asked });
      }
    });
  }
}

async function measure(what: string, asked: number, spreadMs: number): Promise<void> {
  const carrier = Bun.spawn([process.execPath, new URL("polled-carrier.ts", import.meta.url).pathname], {
    stdout: "pipe",
  });
  const { value } = await carrier.stdout.getReader().read();
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/`;
  const folder = temporaryFolder();
  const store = openStore({ folder: folder.path, now: Date.now() });
  await fill(store, asked, spreadMs);
  const parsed = parseHttpOptions({
    request: { url },
    answer: { id: { json: "id" } },
    reportPoll: {
      request: { url, query: { ids: "{{ids}}" } },
      each: "entries",
      id: { json: "id" },
      state: { json: "status" },
      delivered: 10,
      failed: [11],
    },
  });
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const nothing = {
    receipt: () => Promise.resolve(),
    inbound: () => Promise.resolve(),
    lateAnswer() {},
    healthChanged() {},
  };
  const deps = { clock: systemClock, random: systemRandom, log: silentLog };
  const storage = routeStorage(store, routeId);
  const provider = new HttpProvider(parsed.options, nothing, { ...deps, storage });
  const overdue = new OverdueReceipts({ ...deps, store });
  const ticking = setInterval(() => overdue.look([{ configuration: { id: routeId }, provider }]), 1_000);
  const before = process.cpuUsage();
  provider.start();
  await Bun.sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  const { questions }: { questions: number } = await (await fetch(url)).json();
  const share = ((user + system) / 1e6 / seconds) * 100;
  console.log(`${what}: ${(questions / seconds).toFixed(2)} questions a second, ${share.toFixed(1)} % of a core`);
  clearInterval(ticking);
  await overdue.settled();
  await provider.stop(1_000);
  store.close();
  folder.remove();
  carrier.kill();
}

console.log(`${messages.toLocaleString("en")} open messages, ${seconds} s each`);
await measure("all of them due at once", 0, 0);
await measure("asked for hourly, as after the first hours", 7, 3_600_000);
