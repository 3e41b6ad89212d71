import { beforeAll, expect, test } from "bun:test";
import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumLine } from "../../scripts/build.ts";
import { onMachine, slow } from "../installed/on-machine.ts";
import { selfSigned } from "../support/certificates.ts";
import { type EarlierBuild, earlierBuilds, makeEarlierBuild } from "../support/earlier-build.ts";
import {
  assertCallbacks,
  assertFeatures,
  assertReplays,
  assertSent,
  assertSettings,
  carrierFile,
  carrierToken,
  type EarlierData,
  earlierSettings,
  leaveData,
} from "../support/earlier-data.ts";
import type { Installation } from "../support/installation.ts";
import { laterTests } from "../support/later-data.ts";
import type { Machine } from "../support/machine.ts";

const carrierPort = 9000;
const receiverPort = 9443;
/** Where the carrier and the receiver keep their files in the machine. */
const peer = "/srv/peer";

const prepare = (commit: EarlierBuild) => async (builds: string) => {
  const earlier = join(builds, "earlier");
  await makeEarlierBuild(commit, earlier);
  // Its installer requires the checksum.
  appendFileSync(join(builds, "SHA256SUMS"), checksumLine(earlier));
  copyFileSync(join(import.meta.dir, "../support/carrier-and-receiver.ts"), join(builds, "carrier-and-receiver.ts"));
};

/** Installs the earlier build with its settings, beside a carrier and a receiver. */
const begin = (commit: EarlierBuild) => async (machine: Machine) => {
  const inMachine = (path: string) => join(machine.root, path);
  const certificate = selfSigned("127.0.0.1", "IP:127.0.0.1");
  mkdirSync(inMachine(peer));
  writeFileSync(inMachine(`${peer}/peer.json`), JSON.stringify({ carrierPort, receiverPort, ...certificate }));
  writeFileSync(inMachine(`${peer}/closed`), "");
  writeFileSync(inMachine(`${peer}/carrier.json`), JSON.stringify(carrierFile(carrierPort)));
  writeFileSync(inMachine(`${peer}/carrier.token`), carrierToken);
  writeFileSync(inMachine(`${peer}/members.csv`), "mobile,firstName\n+989121111111,Sara\n+989122222222,Reza\n");
  await machine.sh(
    `systemd-run --quiet --unit=peer --setenv=BUN_BE_BUN=1 /builds/earlier /builds/carrier-and-receiver.ts ${peer}`,
  );
  mkdirSync(inMachine("/etc/peyk"));
  writeFileSync(inMachine("/etc/peyk/receiver.pem"), certificate.cert);
  const webhooks = `[webhooks]\ntrusted_destinations = ["127.0.0.1:${receiverPort}"]\nca_file = "/etc/peyk/receiver.pem"\n`;
  writeFileSync(inMachine("/etc/peyk/peyk.toml"), earlierSettings(commit) + webhooks);
  writeFileSync(inMachine(`${peer}/numbers.txt`), "+989125555555\n+989126666666\n");
  writeFileSync(inMachine(`${peer}/other.toml`), 'currency = "EUR"\n');
  await machine.sh("/builds/earlier system file install.sh >/root/install.sh && sh /root/install.sh /builds/earlier");
};

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
    async form(path, fields) {
      const given = Object.entries(fields).map(([name, value]) => `--data-urlencode '${name}=${value}'`);
      const headers = "-H 'Origin: http://127.0.0.1:8081' -H 'Sec-Fetch-Site: same-origin'";
      const written = "-o /dev/null -w '%{http_code} %header{location}'";
      const said = await machine.sh(`curl -sS ${written} ${headers} ${given.join(" ")} http://127.0.0.1:8081${path}`);
      const [status = "", location = ""] = said.trim().split(" ");
      return { status: Number(status), location: location === "" ? null : location };
    },
    log: (name) => machine.sh(`cat ${peer}/${name} 2>/dev/null || true`),
  };
}

for (const commit of earlierBuilds) {
  const opening = { prepare: prepare(commit), begin: begin(commit) };
  onMachine(`data and settings of ${commit}, upgraded by its own command`, opening, ({ machine }) => {
    const service = installationOn(machine);
    let data: EarlierData;
    const left = () => ({ service, files: peer, data });

    beforeAll(async () => {
      data = await leaveData(service, peer, receiverPort, commit);
      await machine.sh(`cd / && peyk upgrade /builds/peyk && rm ${peer}/closed`);
    }, slow);

    test("keep the meaning of every setting", () => assertSettings(service, "--config /etc/peyk/peyk.toml"), slow);
    test("replay stored Idempotency-Keys, and recognize another payload", () => assertReplays(service, data), slow);
    test("keep patterns, groups and one-time passwords working", () => assertFeatures(service, data), slow);
    if (commit !== "553085a") laterTests.beforeSent(left, slow);
    test("send waiting and scheduled messages once each", () => assertSent(service, data), 2 * slow);
    test("repeat failed deliveries, signed as before", () => assertCallbacks(service, data), 2 * slow);
    if (commit !== "553085a") laterTests.onceSent(left, slow);

    test(
      "refuse the earlier build while the new one serves, which keeps the way back to it",
      async () => {
        const keeps = () =>
          machine.sh("cd / && sha256sum var/lib/peyk/before-upgrade/* usr/local/lib/peyk/peyk.previous");
        const kept = await keeps();
        expect(kept).toContain(await machine.sh("sha256sum </builds/earlier | cut -c 1-64"));
        const { code, err } = await machine.run("cd / && peyk upgrade /builds/earlier");
        expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("knows an older one") });
        expect(await keeps()).toBe(kept);
        expect(await machine.sh("systemctl is-active peyk")).toBe("active");
      },
      slow,
    );

    test(
      "let messages accepted by the new build follow the old ones",
      async () => {
        const body = { sender: "30001234", recipient: "+989121234567", message: "sent by the new build" };
        const sent = await service.request("/v1/messages", {
          method: "POST",
          apiKey: data.apiKey,
          idempotencyKey: "new",
          body,
        });
        expect(sent).toMatchObject({ status: 202, body: { duplicate: false } });
        await machine.until(`grep -q 'sent by the new build' ${peer}/carrier.log`, 20_000);
      },
      slow,
    );
  });
}
