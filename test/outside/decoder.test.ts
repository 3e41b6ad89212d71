/** tshark decodes every PDU that Peyk sends in the tests of SMPP, as customers' server and as carriers' client. */
import { expect } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FrameReader } from "../../src/smpp/frame-reader.ts";
import { run } from "../support/outside-programs.ts";
import { captureOf } from "../support/pcap.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const port = 2775;
const timeoutMs = 600_000;
const root = join(import.meta.dir, "..", "..");
const tests = [
  "./test/smpp-server/asking.test.ts",
  "./test/smpp-server/national.test.ts",
  "./test/smpp-server/receipts.test.ts",
  "./test/smpp-server/refusals.test.ts",
  "./test/smpp-server/refused-binds.test.ts",
  "./test/smpp-server/segments.test.ts",
  "./test/smpp-server/submitting.test.ts",
  "./test/providers/smpp-binds.test.ts",
  "./test/providers/smpp-charset.test.ts",
  "./test/providers/smpp-inbound.test.ts",
  "./test/providers/smpp-queries.test.ts",
  "./test/providers/smpp-receipts.test.ts",
  "./test/providers/smpp-submit.test.ts",
];

interface Decoded {
  /** Command ids, in the order of the stream. */
  commands: string[];
  /** Packets with an error, in tshark's words. */
  wrong: string;
}

async function decoded(pieces: readonly Buffer[], folder: string): Promise<Decoded> {
  const file = join(folder, "capture.pcap");
  await Bun.write(file, captureOf(pieces, port));
  const read = ["tshark", "-n", "-r", file, "-d", `tcp.port==${port},smpp`];
  const fields = await run([...read, "-T", "fields", "-e", "smpp.command_id"]);
  const wrong = await run([...read, "-Y", "_ws.malformed || _ws.expert.severity == 0x800000", "-O", "smpp"]);
  const commands = fields.text.split(/[\n,]/).filter((one) => one.startsWith("0x"));
  return {
    commands,
    wrong: wrong.text
      .split("\n")
      .filter((line) => !line.startsWith("Running as"))
      .join("\n"),
  };
}

function framesIn(octets: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  new FrameReader().push(octets, (frame) => {
    frames.push(Buffer.from(frame));
    return true;
  });
  return frames;
}

testWith("tshark")(
  "tshark reads every PDU as Peyk means it, and finds none malformed",
  async () => {
    const { path, remove } = temporaryFolder();
    const pdus = join(path, "pdus");
    mkdirSync(pdus);
    const preload = ["--preload", join(import.meta.dir, "record-pdus.ts")];
    const { code, text } = await run([process.execPath, "test", ...preload, "--timeout=60000", ...tests], {
      cwd: root,
      env: { TEST_PDU_FOLDER: pdus },
    });
    if (code !== 0) console.log(text);
    expect(code).toBe(0);
    const frames = readdirSync(pdus).flatMap((name) => framesIn(readFileSync(join(pdus, name))));
    const { commands, wrong } = await decoded(frames, path);
    expect(wrong).toBe("");
    const own = frames.map((frame) => `0x${frame.readUInt32BE(4).toString(16).padStart(8, "0")}`);
    expect(commands).toEqual(own);
    expect(new Set(commands).size).toBeGreaterThan(12);
    console.log(`tshark: ${frames.length} PDUs of ${new Set(commands).size} commands`);
    // The control: a submit_sm whose short_message ends before its sm_length.
    const submit = frames.find((frame) => frame.readUInt32BE(4) === 0x04) ?? Buffer.alloc(0);
    const cut = Buffer.from(submit.subarray(0, -1));
    cut.writeUInt32BE(cut.length, 0);
    expect((await decoded([cut], path)).wrong).toContain("Malformed");
    remove();
  },
  timeoutMs,
);
