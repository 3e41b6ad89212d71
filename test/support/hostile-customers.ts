/**
 * A process of customers that misbehave for a while and then disconnect; as a process of its own it takes no time from
 * the server's thread. Arguments: the port, and what they do. At the end it prints one JSON object: how many PDUs came
 * back.
 */
import { connect, type Socket } from "node:net";
import { PDU } from "smpp";
import { FrameReader } from "../../src/smpp/frame-reader.ts";
import { bindFields, submitFields } from "./smpp-customer.ts";

const [portText = "", what = "", millisecondsText = "400", floodPassword = "pass1234"] = process.argv.slice(2);
const port = Number(portText);
const endsAt = performance.now() + Number(millisecondsText);
let answers = 0;

async function opened(): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  const reader = new FrameReader();
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    reader.push(chunk, () => {
      answers += 1;
      return true;
    });
  });
  await new Promise<void>((resolve) => {
    socket.once("connect", () => resolve());
    socket.once("close", () => resolve());
  });
  return socket;
}

const frameOf = (command: string, fields: Readonly<Record<string, unknown>>) =>
  new PDU(command, { ...fields, sequence_number: 7 }).toBuffer();

const bind = (password: string) => frameOf("bind_transceiver", bindFields("flood", password));

/** Half a megabyte of the same PDU over and over, as fast as it is accepted, over ten binds. */
async function flood(frame: Buffer): Promise<void> {
  const octets = Buffer.concat(Array.from({ length: Math.ceil(524_288 / frame.length) }, () => frame));
  const sockets = await Promise.all(Array.from({ length: 10 }, opened));
  // Two writes wait all the time. Asking every millisecond whether one is over took time from whoever shares the processor.
  const writeOn = (socket: Socket) => {
    if (!socket.destroyed) socket.write(octets, () => writeOn(socket));
  };
  for (const socket of sockets) {
    socket.write(bind(floodPassword));
    writeOn(socket);
    writeOn(socket);
  }
  await Bun.sleep(endsAt - performance.now());
  for (const socket of sockets) socket.resetAndDestroy();
}

/** New connections all the time, a few hundred at once, each sending these octets. */
async function crowd(octets: () => Buffer): Promise<void> {
  while (performance.now() < endsAt) {
    const sockets = await Promise.all(Array.from({ length: 300 }, opened));
    for (const socket of sockets) socket.write(octets());
    await Bun.sleep(20);
    for (const socket of sockets) socket.resetAndDestroy();
  }
}

/** Octet by octet, on many connections, never a whole PDU. */
async function drip(): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: 300 }, opened));
  for (let index = 0; performance.now() < endsAt; index += 1) {
    for (const socket of sockets) socket.write(Buffer.from([index < 4 ? ([0, 0, 4, 0][index] ?? 0) : 1]));
    await Bun.sleep(1);
  }
  for (const socket of sockets) socket.destroy();
}

function lie(): Buffer {
  const octets = Buffer.from(crypto.getRandomValues(new Uint8Array(200)));
  const lengths = [0, 15, 1_025, 0x7fffffff, 0xffffffff, octets.readUInt32BE(8)];
  octets.writeUInt32BE(lengths[(octets[0] ?? 0) % lengths.length] ?? 0, 0);
  return octets;
}

const manyTlvs = () => {
  const submit = frameOf("submit_sm", submitFields({ source_addr: "30005678" }));
  const frame = Buffer.concat([submit, Buffer.alloc(69_000, Buffer.from([0x14, 0x01, 0, 0]))]);
  frame.writeUInt32BE(frame.length, 0);
  return frame;
};

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  queries: () => flood(frameOf("query_sm", { message_id: "01M82PCJTGCE01GP9BZTBE3Q5Y" })),
  "wrong numbers": () =>
    flood(frameOf("submit_sm", submitFields({ source_addr: "30005678", destination_addr: "98212" }))),
  "more than the window": () => flood(frameOf("submit_sm", submitFields({ source_addr: "30005678" }))),
  "more than a text": () =>
    flood(
      frameOf("submit_sm", {
        ...submitFields({ source_addr: "30005678" }),
        short_message: "",
        message_payload: Buffer.alloc(60_000, "س"),
      }),
    ),
  "thousands of parameters": () => flood(manyTlvs()),
  "questions whether it is there": () => flood(frameOf("enquire_link", {})),
  "answers to nothing": () => flood(frameOf("deliver_sm_resp", {})),
  "commands that are none": () => flood(frameOf("submit_multi_resp", {})),
  "wrong passwords": () => crowd(() => bind("wrong")),
  "requests before the bind": () => crowd(() => frameOf("submit_sm", submitFields())),
  "lengths that lie": () => crowd(lie),
  "half a PDU": () => crowd(() => bind("pass1234").subarray(0, 20)),
  "single octets": drip,
};

await attacks[what]?.();
process.stdout.write(`${JSON.stringify({ answers })}\n`);
process.exit(0);
