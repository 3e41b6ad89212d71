/** Customers made of SMPP libraries that nobody here wrote: a long Persian text in, receipts of its parts and a phone's text out. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CustomerServer } from "../support/customer-server.ts";
import { buildForeignSmscs, missingTools } from "../support/foreign-smsc.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { seedLine } from "../support/smpp-customer.ts";

setDefaultTimeout(120_000);

const hasJava = missingTools.length === 0;
const hasPython = programAt("python3") !== null;
if (!hasJava) console.log(`skipped  jsmpp and Cloudhopper as customers: ${missingTools.join(", ")} not found`);
if (!hasPython) console.log("skipped  smpplib as a customer: python3 not found");

let java: Awaited<ReturnType<typeof buildForeignSmscs>> | null = null;
let python = "";
beforeAll(async () => {
  if (hasJava) java = await buildForeignSmscs();
  if (hasPython) python = await smpplib();
}, 300_000);
afterAll(() => {
  java?.remove();
  if (python !== "") rmSync(python, { recursive: true });
});

/** A folder with the library. */
async function smpplib(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-smpplib-"));
  const pip = ["python3", "-m", "pip", "install", "-q", "--target", folder, "smpplib==2.2.4"];
  const installed = Bun.spawn(pip, { stdout: "ignore", stderr: "pipe" });
  if ((await installed.exited) !== 0) throw new Error(await new Response(installed.stderr).text());
  return folder;
}

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
const text = "سلام و درود فراوان به شما مشتری گرامی، پیام شما رسید. ".repeat(4).slice(0, 190);
const shares = [text.slice(0, 67), text.slice(67, 134), text.slice(134)];
const parts = shares.map((share, index) => Buffer.concat([Buffer.from([5, 0, 3, 9, 3, index + 1]), ucs2(share)]));

interface Told {
  kind: string;
  [field: string]: string;
}

async function customerOf(command: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const server = await CustomerServer.start();
  await server.halt();
  await seedLine(server.folder, "30001234", 1);
  await server.startAgain();
  await server.operate("POST", "/inbound/simulate", { from: "+989121234567", to: "30001234", message: "پاسخ" });
  const { systemId, password } = server.customer;
  const argv = [String(server.port), systemId, password, "3", ...parts.map((part) => part.toString("hex"))];
  const child = Bun.spawn([...command, ...argv], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...env },
  });
  const lines = (await new Response(child.stdout).text()).split("\n").filter((line) => line.startsWith("{"));
  const told = lines.map((line): Told => JSON.parse(line));
  const of = (kind: string) => told.filter((one) => one.kind === kind);
  const ids = of("submitted").map(({ id = "" }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(rowsIn<{ text: string }>(server.folder, "SELECT text FROM message")).toEqual([{ text }]);
  expect(
    of("receipt")
      .map(({ id, state }) => `${id} ${state}`)
      .sort(),
  ).toEqual(ids.map((id) => `${id} DELIVRD`).sort());
  expect(of("text")).toMatchObject([{ source: "989121234567", octets: ucs2("پاسخ").toString("hex") }]);
  expect(of("ended")).toHaveLength(1);
  await server.stop();
}

test.skipIf(!hasJava).each(["JsmppEsme", "CloudhopperEsme"])("%s (wants java, javac, mvn)", (mainClass) => {
  const folder = java?.folder ?? "";
  return customerOf(["java", "-Xmx128m", "-cp", `${folder}/jars/*:${folder}/classes`, mainClass]);
});

test.skipIf(!hasPython)("smpplib (wants python3)", () =>
  customerOf(["python3", join(import.meta.dir, "smpplib_esme.py")], { PYTHONPATH: python }),
);
