/**
 * A minimal, fast SMSC for benchmarks: it reads only headers and answers a packet's PDUs with one write. Run as a
 * process of its own (`bun test/support/fast-smsc.ts [--receipts] [--port N]`), it prints its port and, for every line
 * it reads, how many submits and receipts were answered.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { FrameReader } from "../../src/smpp/frame-reader.ts";

const commands = { submitSm: 0x04, unbind: 0x06, enquireLink: 0x15 };
const binds = new Set([0x01, 0x02, 0x09]);
const answerBit = 0x80000000;

export interface FastSmsc {
  port: number;
  /** Answered submit_sm. */
  submits: number;
  /** Receipts whose deliver_sm was answered. */
  receiptsAnswered: number;
  stop(): Promise<void>;
}

export async function startFastSmsc({ receipts = false, port = 0 } = {}): Promise<FastSmsc> {
  const sockets = new Set<Socket>();
  const smsc: FastSmsc = { port: 0, submits: 0, receiptsAnswered: 0, stop };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    const reader = new FrameReader();
    socket.on("data", (chunk: Buffer) => {
      const answers: Buffer[] = [];
      reader.push(chunk, (frame) => {
        answerTo(frame, smsc, receipts, answers);
        return true;
      });
      if (answers.length > 0) socket.write(Buffer.concat(answers));
    });
  });
  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const address: string | AddressInfo | null = server.address();
  smsc.port = address === null || typeof address === "string" ? 0 : address.port;
  return smsc;
}

function answerTo(frame: Buffer, smsc: FastSmsc, receipts: boolean, answers: Buffer[]): void {
  const commandId = frame.readUInt32BE(4);
  const sequence = frame.readUInt32BE(12);
  if (commandId === commands.submitSm) {
    smsc.submits += 1;
    const id = idOf(smsc.submits);
    answers.push(withText(commandId + answerBit, sequence, id));
    if (receipts) answers.push(receiptOf(id, smsc.submits));
  } else if (binds.has(commandId)) answers.push(withText(commandId + answerBit, sequence, "fast"));
  else if (commandId === commands.unbind || commandId === commands.enquireLink) {
    answers.push(header(16, commandId + answerBit, sequence));
  } else if (commandId === 0x80000005) smsc.receiptsAnswered += 1;
}

function idOf(number: number): string {
  return number.toString(16).padStart(8, "0");
}

function header(length: number, commandId: number, sequence: number): Buffer {
  const pdu = Buffer.alloc(length);
  pdu.writeUInt32BE(length, 0);
  pdu.writeUInt32BE(commandId, 4);
  pdu.writeUInt32BE(sequence, 12);
  return pdu;
}

function withText(commandId: number, sequence: number, text: string): Buffer {
  const pdu = header(16 + text.length + 1, commandId, sequence);
  pdu.write(text, 16, "latin1");
  return pdu;
}

/** A deliver_sm with addresses of one character, esm_class 4 and the TLVs receipted_message_id and message_state. */
const receiptBody = Buffer.from([
  ...[0, 1, 1, 0x39, 0, 0, 0, 0x33, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0],
  ...[0, 0x04, 0x27, 0, 1, 2, 0, 0x1e, 0, 9],
]);

function receiptOf(id: string, sequence: number): Buffer {
  const pdu = header(16 + receiptBody.length + 9, 0x05, sequence);
  receiptBody.copy(pdu, 16);
  pdu.write(id, 16 + receiptBody.length, "latin1");
  return pdu;
}

if (import.meta.main) {
  const portAt = process.argv.indexOf("--port");
  const port = portAt === -1 ? 0 : Number(process.argv[portAt + 1]);
  const smsc = await startFastSmsc({ receipts: process.argv.includes("--receipts"), port });
  console.log(smsc.port);
  process.stdin.on("data", () => console.log(`${smsc.submits} ${smsc.receiptsAnswered}`));
}
