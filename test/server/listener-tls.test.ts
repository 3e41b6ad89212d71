/** Every listener speaks TLS 1.3, and TLS 1.2 with forward secrecy and AEAD alone; a renewed certificate changes nothing of it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { loadSettings } from "../../src/config/settings.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { openStandby } from "../../src/server/standby.ts";
import { selfSigned } from "../support/certificates.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];

function install(kind: "ec" | "rsa"): void {
  const { cert, key } = selfSigned("sms.example", undefined, kind);
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

const anyPort = "127.0.0.1:0";
const certificates = Object.fromEntries(
  ["TLS", "CONSOLE_TLS", "PORTAL_TLS"].flatMap((name) => [
    [`PEYK_${name}_CERT_FILE`, certFile],
    [`PEYK_${name}_KEY_FILE`, keyFile],
  ]),
);

let server: CustomerServer;
beforeAll(async () => {
  install("rsa");
  server = await CustomerServer.start([{}], {
    ...certificates,
    PEYK_SMPP_SERVER_TLS_LISTEN: anyPort,
    PEYK_DROP_IN_LISTEN: anyPort,
    PEYK_PORTAL_LISTEN: anyPort,
    PEYK_SMTP_SERVER_LISTEN: anyPort,
    PEYK_SMTP_SERVER_TLS_LISTEN: anyPort,
    PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
  });
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** `TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256`, or why there was no handshake. */
async function agreed(port: number, offer: ConnectionOptions): Promise<string> {
  const through = port === server.running.smtpPorts.smtpPort ? { socket: await startedTls(port) } : { port };
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", rejectUnauthorized: false, ...through, ...offer });
    socket.once("secureConnect", () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.once("error", () => resolve("refused"));
    socket.once("close", () => resolve("refused"));
  });
}

/** A connection for mail, up to where TLS begins. */
async function startedTls(port: number): Promise<Socket> {
  const socket = connectPlain({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  for (const line of [null, "EHLO a", "STARTTLS"]) {
    if (line !== null) socket.write(`${line}\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
  }
  return socket;
}

const upTo12 = (ciphers: string): ConnectionOptions => ({ maxVersion: "TLSv1.2", ciphers });
const aead = (by: "RSA" | "ECDSA") =>
  ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((cipher) => `ECDHE-${by}-${cipher}`);
/** Without AEAD, or without forward secrecy. */
const old = (by: "RSA" | "ECDSA") => {
  const own = [`ECDHE-${by}-AES128-SHA`, `ECDHE-${by}-AES256-SHA`];
  return by === "RSA" ? [...own, "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "AES256-SHA"] : own;
};

async function assertTerms(port: number, by: "RSA" | "ECDSA"): Promise<void> {
  expect(await agreed(port, {})).toStartWith("TLSv1.3 ");
  for (const cipher of aead(by)) expect(await agreed(port, upTo12(cipher))).toBe(`TLSv1.2 ${cipher}`);
  for (const cipher of old(by)) expect([cipher, await agreed(port, upTo12(cipher))]).toEqual([cipher, "refused"]);
  const oldest: ConnectionOptions = { minVersion: "TLSv1", maxVersion: "TLSv1.1" };
  expect(await agreed(port, oldest)).toBe("refused");
}

const portOf = (url: string | null) => Number(new URL(url ?? "").port);

function ports(): number[] {
  const { url, consoleUrl, portalUrl, dropInUrl, smppPorts, smtpPorts } = server.running;
  return [
    ...[url, consoleUrl, portalUrl, dropInUrl].map(portOf),
    smppPorts.smppTlsPort ?? 0,
    ...Object.values(smtpPorts),
  ];
}

test("the API, console, portal, drop-in, SMPP and mail listeners use modern TLS only, before and after a renewal", async () => {
  expect(new Set(ports()).size).toBe(7);
  for (const port of ports()) await assertTerms(port, "RSA");
  install("ec");
  expect(server.running.reload().refused).toBeNull();
  for (const port of ports()) await assertTerms(port, "ECDSA");
}, 180_000);

test("a following cluster node uses modern TLS only", async () => {
  const flags = { data_dir: folder.path, listen: anyPort, console_listen: anyPort };
  const loaded = loadSettings({ flags, env: certificates, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const state = () => ({ leader: "a", position: 7, behind: 2, hasEngine: true, heldBy: null });
  const standby = await openStandby({ settings: loaded.settings, random: systemRandom, log: silentLog, state });
  await assertTerms(portOf(standby.url), "ECDSA");
  await standby.stop();
}, 180_000);
