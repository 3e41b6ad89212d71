/** The container image: its content, and that podman runs it, with root and without. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { ociImage } from "../../scripts/image/oci-image.ts";
import { must } from "../../scripts/must.ts";
import { freePorts } from "../support/free-ports.ts";
import { type Podman, rootlessPodman, rootPodman } from "../support/podman.ts";
import { describeWith } from "../support/wants.ts";

const slow = 180_000;
const image = "localhost/peyk:0.1.0";
/** Below the ports of any host. */
const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=512:512"];
const user = 65_532;

let place: string;
let archive: string;

const made = (folder: string) =>
  ociImage({
    programs: { amd64: join(place, "amd64"), arm64: join(place, "arm64") },
    version: "0.1.0",
    revision: "0123456789abcdef0123456789abcdef01234567",
    madeAt: new Date("2026-11-01T00:00:00Z"),
    folder: join(place, folder),
  });

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "peyk-image-"));
  await build({ target: "bun-linux-x64-baseline", outfile: join(place, "amd64") });
  await build({ target: "bun-linux-arm64", outfile: join(place, "arm64") });
  archive = await made("image");
}, slow);
afterAll(() => rmSync(place, { recursive: true }));

interface Manifest {
  layers: { digest: string; size: number }[];
  config: { digest: string };
}
const blob = (digest: string) => join(place, "image/blobs/sha256", digest.replace("sha256:", ""));
const json = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8"));
function manifests() {
  const top = json<{ manifests: { digest: string }[] }>(join(place, "image/index.json")).manifests;
  const index = json<{ manifests: { digest: string; platform: { architecture: string } }[] }>(
    blob(top[0]?.digest ?? ""),
  );
  return index.manifests.map(({ digest, platform }) => ({ ...platform, ...json<Manifest>(blob(digest)) }));
}

describe("the container image", () => {
  test(
    "is identical from two builds, byte for byte",
    async () => {
      const again = await made("again");
      expect(Buffer.compare(readFileSync(archive), readFileSync(again))).toBe(0);
      rmSync(again);
    },
    slow,
  );

  test("is for both processors, with two layers each of 64 MB together at most", () => {
    const all = manifests();
    expect(all.map(({ architecture }) => architecture)).toEqual(["amd64", "arm64"]);
    for (const { layers } of all) {
      expect(layers).toHaveLength(2);
      expect(layers.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(64e6);
      for (const { digest, size } of layers) expect(statSync(blob(digest)).size).toBe(size);
    }
  });

  test("contains libraries with their licences, certificate authorities and Peyk, and no shell", async () => {
    for (const { layers, config } of manifests()) {
      const listed: string[] = [];
      for (const [index, { digest }] of layers.entries()) {
        const file = join(place, `layer-${index}.tar`);
        writeFileSync(file, Bun.zstdDecompressSync(readFileSync(blob(digest))));
        listed.push(...(await must(["tar", "-tvf", file], place)).trim().split("\n"));
      }
      const paths = listed.map((line) =>
        line
          .split(/\s+/)
          .slice(5)
          .join(" ")
          .replace(/ -> .*/, ""),
      );
      for (const path of ["usr/share/doc/libc6/copyright", "usr/share/doc/ca-certificates/copyright", "usr/bin/peyk"]) {
        expect(paths).toContain(path);
      }
      expect(listed.find((line) => line.endsWith(" tmp/"))).toStartWith("drwxrwxrwt 0/0");
      expect(listed.find((line) => line.endsWith(" var/lib/peyk/"))).toStartWith(`drwx------ ${user}/${user}`);
      expect(paths.filter((path) => /(^|\/)(ba|da|)sh$|busybox|apt|dpkg/.test(path))).toEqual([]);
      const { User, Labels } = json<{ config: { User: string; Labels: Record<string, string> } }>(
        blob(config.digest),
      ).config;
      expect(User).toBe(`${user}:${user}`);
      expect(Labels["org.opencontainers.image.revision"]).toHaveLength(40);
    }
  });

  test(
    "is refused if its archive was changed",
    async () => {
      const copy = join(place, "tampered.tar");
      copyFileSync(archive, copy);
      const content = readFileSync(copy);
      // The blobs are sorted by digest, and podman reads only those for this processor.
      const [, peyk] = manifests().find(({ architecture }) => architecture === "amd64")?.layers ?? [];
      const middle = content.indexOf(readFileSync(blob(peyk?.digest ?? ""))) + Math.floor((peyk?.size ?? 0) / 2);
      content[middle] = (content[middle] ?? 0) ^ 1;
      writeFileSync(copy, content);
      const podman = await rootPodman();
      const { code, out } = await podman.run("load", "-i", copy);
      expect({ code, out }).toMatchObject({ code: 125, out: "" });
      expect(await podman.must("images", "--quiet")).toBe("");
      await podman.remove();
      rmSync(copy);
    },
    slow,
  );
});

/** Sends, is stopped, killed and restarted, and answers a repeat as before. */
async function journey(podman: Podman): Promise<void> {
  const [port = 0, consolePort = 0] = await freePorts(2);
  const published = ["-p", `127.0.0.1:${port}:8080`, "-p", `127.0.0.1:${consolePort}:8081`];
  const hardened = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  await podman.must(
    "run",
    "-d",
    "--name",
    "peyk",
    // As in compose.yaml. Debian's podman-compose needs a shell, which the image does not have.
    "--health-cmd",
    '["/usr/bin/peyk","status"]',
    "--health-interval",
    "disable",
    ...limits,
    ...hardened,
    ...published,
    "-v",
    "data:/var/lib/peyk",
    image,
  );
  const peyk = (...words: string[]) => podman.must("exec", "peyk", "/usr/bin/peyk", ...words);
  const ready = async () => {
    const deadline = performance.now() + 60_000;
    while ((await podman.run("exec", "peyk", "/usr/bin/peyk", "status")).code !== 0) {
      if (performance.now() > deadline) throw new Error(await podman.must("logs", "peyk"));
      await Bun.sleep(200);
    }
  };
  await ready();
  const { id } = JSON.parse(await peyk("account", "create", "--name", "Test", "--json"));
  await peyk("sender", "add", "--account", id, "--sender", "30001234");
  const { apiKey } = JSON.parse(await peyk("key", "create", "--account", id, "--name", "test", "--json"));
  const send = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/messages`, {
      method: "POST",
      headers: { "X-API-Key": apiKey, "Idempotency-Key": "one", "Content-Type": "application/json" },
      body: JSON.stringify({ sender: "30001234", recipient: "09120000000", message: "سلام" }),
    });
    return { status: answer.status, code: (await answer.json()).trackingCode };
  };
  await podman.must("healthcheck", "run", "peyk");
  const first = await send();
  expect(first.status).toBe(202);
  const stoppedAt = performance.now();
  await podman.must("stop", "--time", "15", "peyk");
  expect(performance.now() - stoppedAt).toBeLessThan(12_000);
  expect(await podman.must("inspect", "--format", "{{.State.ExitCode}}", "peyk")).toBe("0");
  await podman.must("start", "peyk");
  await ready();
  expect(await send()).toEqual({ status: 200, code: first.code });
  await podman.must("kill", "--signal", "KILL", "peyk");
  await podman.run("wait", "peyk");
  await podman.must("start", "peyk");
  await ready();
  expect(await send()).toEqual({ status: 200, code: first.code });
  expect((await fetch(`http://127.0.0.1:${consolePort}/healthz`)).status).toBe(200);
  expect((await podman.run("exec", "peyk", "/usr/bin/peyk", "upgrade", "/usr/bin/peyk")).err).toContain(
    "pull the new image",
  );
}

const kinds = { root: rootPodman, "a user without rights": rootlessPodman };
for (const [name, open] of Object.entries(kinds)) {
  describeWith(
    "root",
    "podman",
    "runc",
  )(`podman with ${name}`, () => {
    let podman: Podman;
    beforeAll(async () => {
      podman = await open();
      copyFileSync(archive, join(podman.home, "image.tar"));
      await podman.must("load", "-i", "image.tar");
    }, slow);
    afterAll(() => podman.remove(), slow);

    test(
      "runs the image, which sends, stops, survives a kill, and answers a repeat as before",
      () => journey(podman),
      slow,
    );

    test(
      "gets a refusal for two containers on one volume, and for a volume of another owner",
      async () => {
        const second = await podman.run("run", "--rm", ...limits, "-v", "data:/var/lib/peyk", image);
        expect(second).toMatchObject({ code: 1, err: expect.stringMatching(/^peyk: .*\/var\/lib\/peyk.*\n$/) });
        const foreign = join(podman.home, "foreign");
        mkdirSync(foreign, { mode: 0o700 });
        const { uid, gid } = statSync(podman.home);
        chownSync(foreign, uid, gid);
        const refused = await podman.run("run", "--rm", ...limits, "-v", `${foreign}:/var/lib/peyk`, image);
        expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^peyk: .*\/var\/lib\/peyk.*owner.*\n$/) });
        expect(readdirSync(foreign)).toEqual([]);
      },
      slow,
    );
  });
}

describeWith(
  "root",
  "podman",
  "runc",
  "podman-compose",
)("the documented compose.yaml", () => {
  test(
    "starts the image with the key as a secret, on a read-only file system",
    async () => {
      const podman = await rootPodman();
      await podman.must("load", "-i", archive);
      const folder = join(podman.home, "compose");
      mkdirSync(folder);
      const [port = 0, consolePort = 0] = await freePorts(2);
      const example = readFileSync(join(import.meta.dir, "../../docs/examples/compose.yaml"), "utf8");
      const compose = example.replace(":8080:", `:${port}:`).replace(":8081:", `:${consolePort}:`);
      writeFileSync(join(folder, "compose.yaml"), compose);
      const key = /^# {3}(od .*) && sudo chown/m.exec(example)?.[1] ?? "";
      await must(["sh", "-c", key], folder);
      chownSync(join(folder, "secret.key"), user, user);
      // podman-compose calls "podman", and must not deal with the limits of this machine's containers.
      const wrapper = join(podman.home, "podman");
      const real = Bun.which("podman") ?? "";
      const storage = `--runtime runc --storage-driver vfs --cgroup-manager cgroupfs --events-backend none --root ${podman.home}/images --runroot ${podman.home}/run`;
      writeFileSync(
        wrapper,
        `#!/bin/sh\nverb=$1; shift\ncase $verb in run|create) set -- ${limits.join(" ")} "$@" ;; esac\nexec ${real} ${storage} "$verb" "$@"\n`,
        { mode: 0o755 },
      );
      const words = ["podman-compose", "--podman-path", wrapper, "-p", "peyk"];
      try {
        const up = await podman.beside([...words, "up", "-d"], folder);
        expect({ code: up.code, said: up.out + up.err }).toMatchObject({ code: 0 });
        const deadline = performance.now() + 60_000;
        let isReady = false;
        while (!isReady && performance.now() < deadline) {
          await Bun.sleep(250);
          isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
        }
        const name = await podman.must("ps", "--format", "{{.Names}}");
        const logs = await podman.run("logs", name);
        expect({ isReady, logs }).toMatchObject({ isReady: true });
        const keys = await must(["find", podman.home, "-name", "secret.key", "-path", "*peyk*"], folder);
        expect(keys.split("\n").filter((path) => path.includes("/volumes/"))).toEqual([]);
        expect(await podman.must("inspect", "--format", "{{.HostConfig.ReadonlyRootfs}}", name)).toBe("true");
      } finally {
        await podman.beside([...words, "down"], folder);
        await podman.remove();
      }
    },
    slow,
  );
});
