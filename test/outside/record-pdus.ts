/** Preloaded by decoder.test.ts: keeps every PDU that Peyk sends in this process, one beside the other in a file. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { Wire } from "../../src/smpp/wire.ts";

const folder = process.env.TEST_PDU_FOLDER;
if (folder === undefined) throw new Error("TEST_PDU_FOLDER names no folder");
const file = join(folder, `${process.pid}.pdus`);

const write = Wire.prototype.write;
Wire.prototype.write = function record(frame, isSecret) {
  appendFileSync(file, frame);
  write.call(this, frame, isSecret);
};
