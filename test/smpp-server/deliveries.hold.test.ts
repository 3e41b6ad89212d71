/** However many receipts are in flight, a refusal, a lost bind and a common due time do not hold the event loop. */
import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { PDU } from "smpp";
import { CustomerServer } from "../support/customer-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { bindFields } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const binds = 40;
const window = 1_000;
const slow = { PEYK_SMPP_SERVER_RESPONSE_TIMEOUT_SECONDS: "300" };

/** Leaves so many receipts of one message, all due at once. */
async function leaveReceipts(dueAt: number): Promise<void> {
  const customer = await server.bound();
  await customer.submitted({ registered_delivery: 0 });
  await eventually(() => rowsIn(server.folder, "SELECT 1 FROM message WHERE state = 'delivered'").length === 1);
  await server.halt();
  const store = openMigratedStore({ folder: server.folder, now: Date.now() });
  const submit = { credentialId: 1, messageId: 1, registeredDelivery: 1, repeatKey: null, payloadHash: null };
  await store.write(({ smppSubmits, credentialDeliveries }) => {
    for (let at = 0; at < binds * window; at += 1) {
      const submitId = smppSubmits.append({ ...submit, code: `r${at}`, createdAt: dueAt });
      const receipt = { credentialId: 1, submitId, state: 2, errorCode: null, endedAt: dueAt };
      credentialDeliveries.addReceipt({ ...receipt, createdAt: dueAt });
    }
  });
  store.close();
  await server.startAgain();
}

const frameOf = (command: string, fields: Readonly<Record<string, unknown>>) => new PDU(command, fields).toBuffer();

/** A receiver that reads and answers nothing. Reading PDUs of others would take the time that is measured. */
async function muteReceiver(): Promise<{ socket: Socket; octets: () => number }> {
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  let octets = 0;
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    octets += chunk.length;
  });
  const { systemId, password } = server.customer;
  socket.write(frameOf("bind_receiver", { ...bindFields(systemId, password), sequence_number: 1 }));
  await eventually(() => octets > 0);
  return { socket, octets: () => octets };
}

const inFlight = async () =>
  Number(/^peyk_smpp_server_unacknowledged\{credential="cred_1"\} (\d+)/m.exec(await metrics())?.[1] ?? 0);
const metrics = async () => (await fetch(`${server.running.consoleUrl}/metrics`)).text();

test("a refused receipt and a lost bind do not block the event loop", async () => {
  server = await CustomerServer.start([{ options: { window, binds } }], slow);
  await leaveReceipts(Date.now());
  const receivers = await Promise.all(Array.from({ length: binds }, muteReceiver));
  await eventually(async () => (await inFlight()) === binds * window);
  const [first] = receivers;
  if (first === undefined) throw new Error("There is a receiver");
  const refused = () =>
    rowsIn<{ n: number }>(server.folder, "SELECT count(*) AS n FROM credential_delivery WHERE attempts > 0")[0]?.n;
  await expectNoHold(
    async (attempt) => {
      const number = { sequence_number: attempt + 1, command_status: 8 };
      first.socket.write(frameOf("deliver_sm_resp", number));
      await eventually(() => refused() === attempt + 1);
    },
    { what: "a refused receipt" },
  );
  await expectNoHold(
    async (attempt) => {
      const lost = receivers.at(-1 - attempt);
      lost?.socket.destroy();
      await eventually(async () => (await inFlight()) <= binds * window - (attempt + 1) * window);
    },
    { what: "a lost bind" },
  );
  // What it had is not lost.
  const { octets } = await muteReceiver();
  await eventually(() => octets() > window * 100);
  expect(rowsIn<{ n: number }>(server.folder, "SELECT count(*) AS n FROM credential_delivery")[0]?.n).toBe(
    binds * window,
  );
}, 180_000);

test("receipts for all binds due at once do not block the event loop", async () => {
  server = await CustomerServer.start([{ options: { window, binds } }], slow);
  await leaveReceipts(Date.now());
  await expectNoHold(() => eventually(async () => (await inFlight()) === binds * window), {
    what: "receipts that are due at once",
    async before() {
      await server.halt();
      const store = openMigratedStore({ folder: server.folder, now: Date.now() });
      await store.write(({ credentialDeliveries }) => credentialDeliveries.pullIn(1, Date.now() + 3_000, 0));
      store.close();
      await server.startAgain();
      await Promise.all(Array.from({ length: binds }, muteReceiver));
      expect(await inFlight()).toBe(0);
    },
  });
}, 180_000);
