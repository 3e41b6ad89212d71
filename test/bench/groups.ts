/** A send to a group of 50,000: how long until all are accepted, the memory it takes, and the effect on others. */
import { messageClasses } from "../../src/domain/message.ts";
import type { Draft } from "../../src/messaging/messages/accept.ts";
import { callerAt } from "../support/caller.ts";
import { type Measure, milliseconds, percentile } from "./report.ts";
import { membersFile, type SendingCore, silentImport, startSendingCore } from "./sending-core.ts";

const members = 50_000;
const acceptedMsMax = 2_500;
const heldMsMax = 50;
const rssMbMax = 150;
const singleP99MsMax = 100;

/** Single messages of another account, one at a time, until stopped; returns their latencies in milliseconds. */
async function singles({ acceptor }: SendingCore, ended: () => boolean): Promise<number[]> {
  const latencies: number[] = [];
  const draft: Draft = {
    sender: "30002",
    recipient: "+989121234567",
    text: "سلام",
    clientReference: null,
    class: messageClasses.single,
    sendAt: null,
  };
  while (!ended()) {
    const startedAt = performance.now();
    const request = { key: crypto.randomUUID(), operation: "POST /v1/messages", payloadHash: new Uint8Array(32) };
    await acceptor.accept(callerAt(Date.now(), 2), request, [draft]);
    latencies.push(performance.now() - startedAt);
    await Bun.sleep(1);
  }
  return latencies;
}

async function measured(sending: SendingCore, what: string, work: () => Promise<unknown>): Promise<Measure[]> {
  Bun.gc(true);
  const rssBefore = process.memoryUsage.rss();
  let rssPeak = rssBefore;
  let held = 0;
  let last = performance.now();
  const pulse = setInterval(() => {
    const now = performance.now();
    held = Math.max(held, now - last);
    last = now;
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  }, 1);
  let done = false;
  const others = singles(sending, () => done);
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  done = true;
  const singleMs = percentile(await others, 0.99);
  clearInterval(pulse);
  const rssMb = (rssPeak - rssBefore) / 2 ** 20;
  const row = (name: string, value: number, max: number, unit: (value: number) => string): Measure => ({
    what: `${what}: ${name}`,
    measured: unit(value),
    bar: `under ${unit(max)}`,
    met: value < max,
  });
  return [
    row("done in", tookMs, acceptedMsMax, milliseconds),
    row("event loop held at most", held, heldMsMax, milliseconds),
    row("resident memory rises by", rssMb, rssMbMax, (mb) => `${mb.toFixed(0)} MB`),
    row("another account's single, p99", singleMs, singleP99MsMax, milliseconds),
  ];
}

export async function groupRows(): Promise<Measure[]> {
  const sending = await startSendingCore({ membersMax: members, partsPerSecond: null });
  const { groups, groupSender, settled } = sending;
  await groups.create(1, "all", "All");
  await groups.import({ code: "all" }, membersFile(members), silentImport);
  await groups.approve({ code: "all" }, "bench");
  const measures: Measure[] = [];
  for (const message of ["سلام به همه", "سلام {{fullName}}، شماره شما {{mobile}} است"]) {
    const request = {
      key: crypto.randomUUID(),
      operation: "POST /v1/approved-groups/all/messages",
      payloadHash: new Uint8Array(32),
    };
    const send = async () => {
      const acceptance = await groupSender.send(callerAt(Date.now()), request, "all", {
        sender: "30001",
        message,
      });
      let count = 0;
      for await (const slice of groupSender.results(acceptance, 1)) count += slice.length;
      if (count !== members) throw new Error(`${count} of ${members} have a result`);
    };
    const kind = message.includes("{{") ? "personalised" : "plain";
    measures.push(...(await measured(sending, `group of ${members}, ${kind}, answer included`, send)));
    await settled();
  }
  await sending.stop();
  return measures;
}
