import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSigned } from "../support/certificates.ts";
import { firstBuild } from "../support/first-build.ts";
import {
  assertCallbacks,
  assertFeatures,
  assertReplays,
  assertSent,
  assertSettings,
  carrierFile,
  carrierToken,
  type FirstData,
  firstSettings,
  type Installation,
  leaveData,
} from "../support/first-data.ts";
import type { Machine } from "../support/machine.ts";
import { onMachine, slow } from "./on-machine.ts";

const carrierPort = 9000;
const receiverPort = 9443;
/** Where the carrier and the receiver keep their files in the machine. */
const peer = "/srv/peer";

async function prepare(builds: string): Promise<void> {
  await firstBuild(join(builds, "first"));
  copyFileSync(join(import.meta.dir, "../support/carrier-and-receiver.ts"), join(builds, "carrier-and-receiver.ts"));
}

/** Installs the first build with its settings, beside a carrier and a receiver. */
async function begin(machine: Machine): Promise<void> {
  const inMachine = (path: string) => join(machine.root, path);
  const certificate = selfSigned("127.0.0.1", "IP:127.0.0.1");
  mkdirSync(inMachine(peer));
  writeFileSync(inMachine(`${peer}/peer.json`), JSON.stringify({ carrierPort, receiverPort, ...certificate }));
  writeFileSync(inMachine(`${peer}/closed`), "");
  writeFileSync(inMachine(`${peer}/carrier.json`), JSON.stringify(carrierFile(carrierPort)));
  writeFileSync(inMachine(`${peer}/carrier.token`), carrierToken);
  writeFileSync(inMachine(`${peer}/members.csv`), "mobile,firstName\n+989121111111,Sara\n+989122222222,Reza\n");
  await machine.sh(
    `systemd-run --quiet --unit=peer --setenv=BUN_BE_BUN=1 /builds/first /builds/carrier-and-receiver.ts ${peer}`,
  );
  mkdirSync(inMachine("/etc/peyk"));
  writeFileSync(inMachine("/etc/peyk/receiver.pem"), certificate.cert);
  const webhooks = `[webhooks]\ntrusted_destinations = ["127.0.0.1:${receiverPort}"]\nca_file = "/etc/peyk/receiver.pem"\n`;
  writeFileSync(inMachine("/etc/peyk/peyk.toml"), firstSettings + webhooks);
  await machine.sh("/builds/first system file install.sh >/root/first.sh && sh /root/first.sh /builds/first");
}

function installationOn(machine: Machine): Installation {
  return {
    peyk: (words) => machine.sh(`cd / && peyk ${words}`),
    async request(path, { method, apiKey, idempotencyKey, body }) {
      const headers = { "X-API-Key": apiKey, "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}: ${value}`],
      );
      writeFileSync(join(machine.root, "root/headers"), lines.join("\n"));
      if (body !== undefined) writeFileSync(join(machine.root, "root/body"), JSON.stringify(body));
      const data = body === undefined ? "" : "--data-binary @/root/body";
      const said = await machine.sh(`curl -sS -i -X ${method} -H @/root/headers ${data} http://127.0.0.1:8080${path}`);
      const [head = "", text = "null"] = said.split("\r\n\r\n");
      return { status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), head, body: JSON.parse(text) };
    },
    log: (name) => machine.sh(`cat ${peer}/${name} 2>/dev/null || true`),
  };
}

onMachine("data and settings of the first build, upgraded by its own command", { prepare, begin }, ({ machine }) => {
  const service = installationOn(machine);
  let data: FirstData;

  beforeAll(async () => {
    data = await leaveData(service, peer, receiverPort);
    await machine.sh(`cd / && peyk upgrade /builds/peyk && rm ${peer}/closed`);
  }, slow);

  test("settings keep their meaning", () => assertSettings(service, "--config /etc/peyk/peyk.toml"), slow);
  test("stored Idempotency-Keys replay, and tell another payload apart", () => assertReplays(service, data), slow);
  test("patterns, groups and one-time passwords go on", () => assertFeatures(service, data), slow);
  test("waiting and scheduled messages go out, once each", () => assertSent(service, data), 2 * slow);
  test("failed deliveries come again, signed as before", () => assertCallbacks(service, data), 2 * slow);

  test(
    "what the new build accepts follows the old",
    async () => {
      const body = { sender: "30001234", recipient: "+989121234567", message: "after the upgrade" };
      const sent = await service.request("/v1/messages", {
        method: "POST",
        apiKey: data.apiKey,
        idempotencyKey: "new",
        body,
      });
      expect(sent).toMatchObject({ status: 202, body: { duplicate: false } });
      await machine.until(`grep -q 'after the upgrade' ${peer}/carrier.log`, 20_000);
    },
    slow,
  );
});
