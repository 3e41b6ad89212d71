/** A receipt must not overtake the answer that names its message, however slowly the customer reads. */
import { afterEach, expect, test } from "bun:test";
import { PDU } from "smpp";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { type SmppCustomer, submitFields } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const count = (table: string) => rowsIn<{ n: number }>(server.folder, `SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;

/** 64 KB of answers between two submits: less than the server buffers before it stops reading. */
const enquiriesBetween = 4_000;
/** Together it is more than the buffers of both sockets hold. */
const submits = 250;

/** They fill the return path faster than a customer may query by default. */
const everyEnquiry = { PEYK_SMPP_SERVER_FREE_REQUESTS_PER_SECOND: "1000000" };

/** Fills the return path to a customer that does not read, with submits in between; returns their sequence numbers. */
function clog({ socket }: SmppCustomer): number[] {
  socket.pause();
  const sequences = Array.from({ length: submits }, (_, index) => 1_000_000 + index);
  const enquiry = new PDU("enquire_link", { sequence_number: 2_000_000 }).toBuffer();
  const enquiries = Buffer.concat(Array<Buffer>(enquiriesBetween).fill(enquiry));
  for (const sequence of sequences) {
    socket.write(enquiries);
    socket.write(new PDU("submit_sm", { ...submitFields(), sequence_number: sequence }).toBuffer());
  }
  return sequences;
}

/** Longer than the server lets a busy connection wait for its next turn. */
const pauseMs = 300;
/** Each is a turn of the server's loop at least: a loaded machine may have kept the server from running meanwhile. */
const turns = 100;

/** Waits until the server stops reading from it, and every message that it accepted is final. */
async function standstill(reader: SmppCustomer): Promise<number> {
  const standing = () => [count("message"), count("credential_delivery")] as const;
  const isFinal = () => count("message") > 0 && count("message WHERE state <> 'delivered'") === 0;
  let before = standing();
  await eventually(async () => {
    await Bun.sleep(pauseMs);
    for (let turn = 0; turn < turns; turn += 1) await reader.request("enquire_link");
    const now = standing();
    const isStill = isFinal() && now.every((value, index) => value === before[index]);
    before = now;
    return isStill;
  });
  return before[0];
}

const idOf = (receipt: string) => /^id:(\S+)/.exec(receipt)?.[1] ?? "";
const answerId = (frame: Buffer) => frame.toString("latin1", 16, frame.indexOf(0, 16));

test("receipts wait for a slow reader's connection to send the answers they belong to", async () => {
  server = await CustomerServer.start([{ options: { window: 1_000 } }], everyEnquiry);
  const slow = await server.bound("transmitter");
  const reader = await server.bound("receiver");
  const answers: string[] = [];
  for (const sequence of clog(slow))
    void slow.expect(sequence).then(
      ({ frame }) => answers.push(answerId(frame)),
      () => {},
    );
  const taken = await standstill(reader);
  expect(taken).toBeLessThan(submits);
  const early = reader.receipts.map(idOf);
  expect(early.length).toBeLessThan(taken);
  expect(count("credential_delivery")).toBe(taken - early.length);
  slow.socket.resume();
  await eventually(() => answers.length === submits && reader.receipts.length === submits);
  expect(answers.slice(0, early.length).sort()).toEqual(early.sort());
  expect(reader.receipts.map(idOf).sort()).toEqual(answers.sort());
}, 180_000);

test("receipts no longer wait once that connection is gone", async () => {
  server = await CustomerServer.start([{ options: { window: 1_000 } }], everyEnquiry);
  const slow = await server.bound("transmitter");
  const reader = await server.bound("receiver");
  clog(slow);
  const taken = await standstill(reader);
  expect(reader.receipts.length).toBeLessThan(taken);
  slow.socket.resetAndDestroy();
  await eventually(() => reader.receipts.length === count("message") && count("credential_delivery") === 0);
  expect(reader.receipts.length).toBeGreaterThanOrEqual(taken);
}, 180_000);
