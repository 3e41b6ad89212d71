/** Where customers bind: over TLS with a renewed certificate, and what a start refuses. */
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { loadSettings } from "../../src/config/settings.ts";
import { silentLog } from "../../src/platform/log.ts";
import { listenForSockets } from "../../src/platform/socket-listener.ts";
import { selfSigned } from "../support/certificates.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";
import { temporaryFolder } from "../support/test-server.ts";

let server: CustomerServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

test("TLS without a certificate, and two listeners on one address, are refused before a start", () => {
  const problemsOf = (env: Record<string, string>) => {
    const loaded = loadSettings({ flags: {}, env, readFile: () => null });
    return loaded.ok ? [] : loaded.problems.map(({ key }) => key);
  };
  expect(problemsOf({ PEYK_SMPP_SERVER_TLS_LISTEN: "127.0.0.1:3550" })).toEqual(["smpp_server.tls_listen"]);
  const both = { PEYK_SMPP_SERVER_LISTEN: "127.0.0.1:8080" };
  expect(problemsOf(both)).toEqual(["smpp_server.listen"]);
  expect(problemsOf({ PEYK_SMPP_SERVER_LISTEN: "127.0.0.1:2775" })).toEqual([]);
});

test("a port that is taken stops the start with the reason", async () => {
  server = await CustomerServer.start();
  const taken = `127.0.0.1:${server.port}`;
  await expect(CustomerServer.start([{}], { PEYK_SMPP_SERVER_LISTEN: taken })).rejects.toThrow(
    `Another process listens on ${taken}`,
  );
});

test("a customer binds over TLS; after a renewal the next gets the new certificate, and the first stays bound", async () => {
  const { path, remove } = temporaryFolder();
  const [certFile, keyFile] = [join(path, "cert.pem"), join(path, "key.pem")];
  const install = (name: string) => {
    const { cert, key } = selfSigned(name);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  install("first.example");
  server = await CustomerServer.start([{}], {
    PEYK_SMPP_SERVER_TLS_LISTEN: "127.0.0.1:0",
    PEYK_TLS_CERT_FILE: certFile,
    PEYK_TLS_KEY_FILE: keyFile,
  });
  const { smppTlsPort = 0 } = server.running.smppPorts;
  const { systemId, password } = server.customer;
  const bindOverTls = async () => {
    const socket = connect({ port: smppTlsPort, host: "127.0.0.1", rejectUnauthorized: false });
    await new Promise<void>((resolve) => socket.once("secureConnect", () => resolve()));
    const customer = new SmppCustomer(socket);
    expect((await customer.request("bind_transceiver", bindFields(systemId, password))).status).toBe(0);
    return { customer, name: String(socket.getPeerCertificate().subject.CN) };
  };
  const first = await bindOverTls();
  install("second.example");
  expect(server.running.reload().refused).toBeNull();
  const second = await bindOverTls();
  expect([first.name, second.name]).toEqual(["first.example", "second.example"]);
  expect((await first.customer.submit()).status).toBe(0);
  expect((await second.customer.submit()).status).toBe(0);
  remove();
});

test("unfinished TLS handshakes end after a while, and the oldest at once if there are too many", async () => {
  let taken = 0;
  const listener = await listenForSockets({
    protocol: "SMPP",
    networkOf: (address) => address,
    hostname: "127.0.0.1",
    port: 0,
    tls: selfSigned("sms.example"),
    handshakesMax: 2,
    handshakeMs: 500,
    log: silentLog,
    mayTake: () => true,
    connected: () => {
      taken += 1;
    },
  });
  const silent = async () => {
    const socket = connectPlain({ port: listener.port, host: "127.0.0.1" });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    return { closed };
  };
  const [first, ...others] = [await silent(), await silent(), await silent()];
  await first?.closed;
  const customer = connect({ port: listener.port, host: "127.0.0.1", rejectUnauthorized: false });
  await new Promise<void>((resolve) => customer.once("secureConnect", () => resolve()));
  for (const { closed } of others) await closed;
  await Bun.sleep(600);
  expect([taken, customer.destroyed]).toEqual([1, false]);
  customer.destroy();
  listener.stop();
});
