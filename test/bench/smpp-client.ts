/**
 * Submits as fast as it is answered, for benchmarks: a window of submits on each of several binds. Run in its own
 * process (`bun test/bench/smpp-client.ts PORT SYSTEM_ID PASSWORD SENDER BINDS WINDOW SECONDS [receipts]`), it prints
 * one JSON object. With `receipts` it requests them, and ends once no more arrive.
 */
import { connect, type Socket } from "node:net";
import { PDU } from "smpp";
import { FrameReader } from "../../src/smpp/frame-reader.ts";

const [port = "", systemId = "", password = "", sender = "", binds = "1", window = "100", seconds = "5", asksFor = ""] =
  process.argv.slice(2);
const bindResp = 0x80000009;
const submitResp = 0x80000004;
const deliverSm = 0x05;

const frame = new PDU("submit_sm", {
  source_addr: sender,
  destination_addr: "09121234567",
  registered_delivery: asksFor === "receipts" ? 1 : 0,
  data_coding: 8,
  short_message: Buffer.from("سلام! سفارش شما ارسال شد.", "utf16le").swap16(),
}).toBuffer();

/** The number's last seven digits begin at this octet. */
const digitsAt = frame.indexOf("0912") + 4;
let seed = Math.floor(Math.random() * 0x7fffffff);

/** Each message has its own recipient, as in send.lua. */
function writeRecipient(frames: Buffer, at: number): void {
  // A generator of 31 bits (Park and Miller), of which the low digits are used.
  seed = (seed * 48_271) % 0x7fffffff;
  for (let index = 0, digits = seed; index < 7; index += 1, digits = Math.floor(digits / 10))
    frames[at + index] = 0x30 + (digits % 10);
}

let sent = 0;
let answered = 0;
let errors = 0;
let receipts = 0;
let isOver = false;
const times: number[] = [];

/** One in a hundred is timed, and the first; for a customer that sends one at a time, each. */
const sampleEvery = window === "1" ? 1 : 100;

function drive(socket: Socket): void {
  const reader = new FrameReader();
  const sentAt = new Map<number, number>();
  let sequence = 0;
  const submits = (count: number): void => {
    const frames = Buffer.alloc(frame.length * count);
    for (let index = 0; index < count; index += 1) {
      sequence += 1;
      frame.copy(frames, index * frame.length);
      frames.writeUInt32BE(sequence, index * frame.length + 12);
      writeRecipient(frames, index * frame.length + digitsAt);
      if ((sequence - 1) % sampleEvery === 0) sentAt.set(sequence, performance.now());
    }
    sent += count;
    socket.write(frames);
  };
  socket.on("data", (chunk: Buffer) => {
    let room = 0;
    reader.push(chunk, (pdu) => {
      const command = pdu.readUInt32BE(4);
      if (command === bindResp) room = Number(window);
      else if (command === submitResp) {
        room += 1;
        answered += 1;
        // The answer to an accepted submit contains its id.
        if (pdu.readUInt32BE(8) !== 0 || pdu.length <= 17) errors += 1;
        const at = sentAt.get(pdu.readUInt32BE(12));
        if (at !== undefined) times.push(performance.now() - at);
      } else if (command === deliverSm) {
        receipts += 1;
        const answer = Buffer.alloc(17);
        answer.writeUInt32BE(17, 0);
        answer.writeUInt32BE(0x80000005, 4);
        pdu.copy(answer, 12, 12, 16);
        socket.write(answer);
      }
      return true;
    });
    if (room > 0 && !isOver) submits(room);
  });
  socket.write(
    new PDU("bind_transceiver", {
      system_id: systemId,
      password,
      interface_version: 0x34,
      sequence_number: 1,
    }).toBuffer(),
  );
}

const sockets = Array.from({ length: Number(binds) }, () => {
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  socket.setNoDelay(true);
  socket.on("connect", () => drive(socket));
  return socket;
});
const startedAt = performance.now();
await Bun.sleep(Number(seconds) * 1_000);
// On a busy machine, one bind may have no answer within a short run.
while (times.length === 0) await Bun.sleep(10);
isOver = true;
const perSecond = (answered * 1_000) / (performance.now() - startedAt);
times.sort((a, b) => a - b);
const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
// A server that stops answering makes the run fail.
for (const deadline = performance.now() + 10_000; answered < sent && performance.now() < deadline; )
  await Bun.sleep(10);
errors += sent - answered;
const quietMs = 1_000;
for (let before = -1; asksFor === "receipts" && receipts !== before; await Bun.sleep(quietMs)) before = receipts;
for (const socket of sockets) socket.destroy();
console.log(JSON.stringify({ perSecond, p99, errors, accepted: answered - errors, receipts }));
process.exit();
