import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect, type TLSSocket } from "node:tls";
import { listenPublicly } from "../../src/http/listener.ts";
import { type RenewableListener, replacedListenerMs } from "../../src/platform/renewable-listener.ts";
import { type Api, startApi } from "../support/api.ts";
import { selfSigned } from "../support/certificates.ts";

const old = selfSigned("old.example");
const renewed = selfSigned("new.example");

let api: Api;
let listener: RenewableListener;
const open: TLSSocket[] = [];

beforeEach(async () => {
  api = await startApi();
  listener = listenPublicly(api.api, { hostname: "127.0.0.1", port: 0, clock: api.clock, tls: old, lingerMs: 0 });
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await listener.stop();
  await api.stop();
});

/** A connection, and the certificate that it got. */
function dial(): Promise<{ socket: TLSSocket; name: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: listener.port, rejectUnauthorized: false };
    const socket = connect(options, () => resolve({ socket, name: String(socket.getPeerCertificate().subject.CN) }));
    socket.once("error", reject);
    open.push(socket);
  });
}

/** One request on an open connection; rejects when it is not answered. */
function ask({ socket }: { socket: TLSSocket }): Promise<string> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) reject(new Error("closed"));
    socket.once("data", (bytes: Buffer) => resolve(bytes.toString()));
    socket.once("close", () => reject(new Error("closed")));
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });
}

test("new connections get the renewed certificate, and an open one is answered once more and closed", async () => {
  const held = await dial();
  expect(held.name).toBe("old.example");
  expect(await ask(held)).not.toMatch(/^connection: close/im);
  listener.renew(renewed);
  const answer = await ask(held);
  expect(answer).toStartWith("HTTP/1.1 200");
  expect(answer).toMatch(/^connection: close/im);
  expect(answer).toMatch(/^x-correlation-id: /im);
  const names = await Promise.all(Array.from({ length: 40 }, async () => (await dial()).name));
  expect(new Set(names)).toEqual(new Set(["new.example"]));
});

test("after repeated renewals the last certificate is served, even after the replaced listeners are gone", async () => {
  for (const next of [renewed, old, renewed]) listener.renew(next);
  expect((await dial()).name).toBe("new.example");
  await api.clock.advance(replacedListenerMs + 1);
  for (let round = 0; round < 20; round += 1) expect((await dial()).name).toBe("new.example");
  listener.renew(old);
  for (let round = 0; round < 20; round += 1) expect((await dial()).name).toBe("old.example");
});

test("a renewal under constant requests breaks none of them", async () => {
  let running = true;
  let answered = 0;
  const client = async () => {
    while (running) {
      const response = await fetch(`${listener.url}/healthz`, { tls: { rejectUnauthorized: false } });
      expect(response.status).toBe(200);
      answered += 1;
    }
  };
  const clients = Array.from({ length: 8 }, client);
  for (const next of [renewed, old, renewed, old]) {
    const before = answered;
    listener.renew(next);
    while (answered < before + 50) await new Promise((resolve) => setImmediate(resolve));
  }
  await api.clock.advance(replacedListenerMs + 1);
  const before = answered;
  while (answered < before + 50) await new Promise((resolve) => setImmediate(resolve));
  running = false;
  await Promise.all(clients);
});

test("a second process on the same port fails, though the listener can open it twice", () => {
  expect(() =>
    listenPublicly(api.api, { hostname: "127.0.0.1", port: listener.port, clock: api.clock, tls: old }),
  ).toThrow(/EADDRINUSE|in use/);
});
