/** The SMSC of the end-to-end row in its own process, and its maximum rate. */
import { connect } from "node:net";
import { join } from "node:path";
import { FrameReader } from "../../src/smpp/frame-reader.ts";

export interface PeerCounts {
  submits: number;
  /** Receipts that were acknowledged. */
  receipts: number;
}

export interface Peer {
  port: number;
  pid: number;
  counts(): Promise<PeerCounts>;
  stop(): void;
}

const program = join(import.meta.dir, "..", "support", "fast-smsc.ts");

export async function startPeer(): Promise<Peer> {
  const child = Bun.spawn([process.execPath, program, "--receipts"], { stdin: "pipe", stdout: "pipe" });
  const lines = linesOf(child.stdout);
  const port = Number((await lines.next()).value);
  return {
    port,
    pid: child.pid,
    async counts() {
      child.stdin.write("\n");
      child.stdin.flush();
      const [submits = 0, receipts = 0] = ((await lines.next()).value ?? "").split(" ").map(Number);
      return { submits, receipts };
    },
    stop: () => child.kill(),
  };
}

/** Output of a child process, line by line. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

/** Messages a second, from submit to acknowledged receipt, with a client that only counts. */
export async function ceilingOf(peer: Peer, seconds: number, window: number): Promise<number> {
  const before = await peer.counts();
  const startedAt = performance.now();
  await blast(peer.port, seconds * 1_000, window);
  const after = await peer.counts();
  return ((after.receipts - before.receipts) * 1_000) / (performance.now() - startedAt);
}

/** Commands and statuses: SMPP 3.4 §5.1.2.1. */
const bindTransceiver = 0x09;
const submitSm = 0x04;
const submitSmResp = 0x80000004;
const deliverSm = 0x05;
const deliverSmResp = 0x80000005;

function pdu(command: number, sequence: number, body: Buffer): Buffer {
  const frame = Buffer.alloc(16 + body.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(command, 4);
  frame.writeUInt32BE(sequence, 12);
  body.copy(frame, 16);
  return frame;
}

function blast(port: number, forMs: number, window: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const reader = new FrameReader();
    const submit = pdu(submitSm, 1, Buffer.alloc(120));
    const endsAt = performance.now() + forMs;
    let unanswered = window;
    socket.write(pdu(bindTransceiver, 1, Buffer.alloc(10)));
    for (let count = 0; count < window; count += 1) socket.write(submit);
    socket.on("data", (chunk: Buffer) => {
      const out: Buffer[] = [];
      reader.push(chunk, (frame) => {
        const command = frame.readUInt32BE(4);
        if (command === deliverSm) out.push(pdu(deliverSmResp, frame.readUInt32BE(12), Buffer.alloc(1)));
        if (command !== submitSmResp) return true;
        unanswered -= 1;
        if (performance.now() >= endsAt) return true;
        unanswered += 1;
        out.push(submit);
        return true;
      });
      socket.write(Buffer.concat(out));
      if (unanswered > 0) return;
      socket.end();
      resolve();
    });
  });
}
