/** Receivers of alerts: the console overrides the settings file, and secrets are only used for the server they were typed for. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type AlertReceiver, AlertReceivers, type FileReceiver, type ReadSecret } from "../../src/alerts/receivers.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { databaseFileName } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let opened: { receiver: AlertReceiver; secret: ReadSecret }[];
beforeEach(() => {
  folder = temporaryFolder();
  store = openMigratedStore({ folder: folder.path, now: 0 });
});
afterEach(() => {
  store.close();
  folder.remove();
});

const sealer = createSealer(systemRandom.bytes(32));
const inFile: FileReceiver = {
  channel: "webhook",
  values: { url: "https://file.example.com" },
  secret: () => "of-the-file",
};
const fromConsole: AlertReceiver = { channel: "webhook", values: { url: "https://console.example.com" } };

function receivers(file: readonly FileReceiver[] = [inFile]): AlertReceivers {
  return new AlertReceivers({
    store,
    sealer,
    file,
    channelOf(receiver, secret) {
      opened = [{ receiver, secret }];
      return { name: receiver.channel, takes: () => true, send: () => Promise.resolve() };
    },
  });
}
const stateOf = (of: AlertReceivers) => of.states()[0];

test("the settings file names the receivers until the console does, and again once the console stops", async () => {
  const of = receivers();
  expect(stateOf(of)).toMatchObject({ channel: "webhook", from: "file", receiver: inFile });
  await of.set(fromConsole, "of-the-console");
  for (const one of [of, receivers()]) {
    expect(stateOf(one)).toMatchObject({ from: "console", receiver: fromConsole, isInFile: true, hasSecret: true });
    expect(one.channels().map(({ name }) => name)).toEqual(["webhook"]);
  }
  expect(opened.map(({ receiver, secret }) => [receiver, secret()])).toEqual([[fromConsole, "of-the-console"]]);
  expect(readFileSync(`${folder.path}/${databaseFileName}-wal`).includes("of-the-console")).toBe(false);
  await of.remove("webhook");
  expect(stateOf(of)).toMatchObject({ from: "file" });
  expect(opened.map(({ secret }) => secret())).toEqual(["of-the-file"]);
});

test("a channel switched off in the console stays off, whatever the settings file names", async () => {
  const of = receivers();
  await of.switchOff("webhook");
  for (const one of [of, receivers()]) {
    expect([stateOf(one)?.from, one.channels()]).toEqual(["off", []]);
  }
});

test("a change keeps the stored secret if asked to, and drops it if there is no secret", async () => {
  const of = receivers([]);
  const mail = { server: "a.example:25", security: "tls", user: "peyk", from: "p@example.com", to: ["o@example.com"] };
  await of.set({ channel: "mail", values: { ...mail, security: "tls" } }, "s3cret");
  await of.set({ channel: "mail", values: { ...mail, security: "tls", to: ["p@example.com"] } }, undefined);
  expect(opened.at(-1)?.secret()).toBe("s3cret");
  await of.set({ channel: "mail", values: { ...mail, security: "tls", user: "" } }, null);
  expect([opened.at(-1)?.secret(), of.states()[1]?.hasSecret]).toEqual(["", false]);
});
