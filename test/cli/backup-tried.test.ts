/** Backups that are verified and shipped elsewhere before anybody needs them. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createSealer, loadKeys } from "../../src/platform/seal.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let server: OperatorServer;
let area: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  server = await createOperatorServer();
  area = temporaryFolder();
  mkdirSync(join(server.folder, "backups"));
  mkdirSync(join(area.path, "tmp"));
  process.env.TMPDIR = join(area.path, "tmp");
});
afterEach(async () => {
  delete process.env.TMPDIR;
  await server.close();
  area.remove();
});

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);
const nightly = () => join(server.folder, "backups", "peyk-20261120T031700Z.db");
const recent = () => join(server.folder, "backups", "recent-20261120T034500Z.db");
const temporary = () => readdirSync(join(area.path, "tmp"));

async function withSealedRoute(): Promise<void> {
  const sealer = createSealer(...loadKeys(server.folder, undefined, () => false));
  const now = server.clock.now();
  const route = {
    name: "carrier",
    kind: "smpp",
    enabled: true,
    createdAt: now,
    updatedAt: now,
    removedAt: null,
  } as const;
  const sealedSecrets = Buffer.from(sealer.seal('{"password":"x"}'));
  const options = JSON.stringify({ host: "127.0.0.1", port: 1, systemId: "x" });
  await server.store.write((tables) => tables.routes.insert({ ...route, options, sealedSecrets }));
}

describe("peyk backup drill", () => {
  test("restores the newest copy into a scratch folder, starts it, reports its contents, and cleans up", async () => {
    await peyk("account", "create", "--name", "Clinic");
    await withSealedRoute();
    await peyk("backup", "create", nightly());
    await peyk("account", "create", "--name", "Later");
    await peyk("backup", "create", recent());
    const before = readdirSync(server.folder);
    const run = await peyk("backup", "drill", "--json");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(run.out)).toMatchObject({
      file: recent(),
      key: "fits",
      sum: "right",
      counts: { accounts: 2, routes: 2 },
    });
    expect({ temporary: temporary(), folder: readdirSync(server.folder) }).toEqual({ temporary: [], folder: before });
    expect((await peyk("backup", "drill", nightly())).out).toMatch(/^Accounts +1$/m);
  }, 180_000);

  test("fails when there is no copy, the copy is damaged, or its key is missing", async () => {
    expect(await peyk("backup", "drill")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no copy in"),
    });
    await withSealedRoute();
    await peyk("backup", "create", nightly());
    const other = join(area.path, "other.key");
    writeFileSync(other, `${"ab".repeat(32)}\n`);
    expect(await peyk("backup", "drill", "--key", other)).toMatchObject({
      code: 1,
      err: expect.stringContaining("not the key"),
    });
    copyFileSync(join(server.folder, "secret.key"), other);
    rmSync(join(server.folder, "secret.key"));
    expect(await peyk("backup", "drill")).toMatchObject({ code: 1, err: expect.stringContaining("is missing") });
    expect(await peyk("backup", "drill", "--key", other)).toMatchObject({ code: 0 });
    const bytes = readFileSync(nightly());
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    writeFileSync(nightly(), bytes);
    expect(await peyk("backup", "drill", "--key", other)).toMatchObject({
      code: 1,
      err: expect.stringContaining("damaged"),
    });
    expect(temporary()).toEqual([]);
  }, 180_000);

  test("leaves neither database nor key behind when a signal ends it", async () => {
    await withSealedRoute();
    await peyk("backup", "create", nightly());
    const command = [...peykCommand, "backup", "drill", nightly(), "--data-dir", server.folder];
    const child = Bun.spawn(command, { env: process.env, stdout: "ignore", stderr: "inherit" });
    while (temporary().length === 0 && child.exitCode === null) await Bun.sleep(1);
    child.kill("SIGINT");
    await child.exited;
    expect(temporary()).toEqual([]);
  }, 180_000);

  testWith("root")(
    "drills with a copy that only root may read, for a service of another user",
    async () => {
      await peyk("account", "create", "--name", "Clinic");
      const copy = join(area.path, "monday.db");
      await peyk("backup", "create", copy);
      const data = join(area.path, "data");
      const nobody = 65534;
      for (const folder of [data, join(area.path, "tmp")]) {
        mkdirSync(folder, { recursive: true });
        chownSync(folder, nobody, nobody);
      }
      chmodSync(area.path, 0o711);
      // As a process of its own: root gives its rights up for good.
      const command = [...peykCommand, "backup", "drill", copy, "--data-dir", data];
      const child = Bun.spawn(command, { env: process.env, stdout: "pipe", stderr: "pipe" });
      expect(await new Response(child.stderr).text()).toBe("");
      expect(await new Response(child.stdout).text()).toMatch(/^Accounts +1$/m);
      expect(temporary()).toEqual([]);
    },
    180_000,
  );

  test("reports when no temporary folder can be made", async () => {
    await peyk("backup", "create", nightly());
    process.env.TMPDIR = join(area.path, "none");
    const why = "it does not exist. Set TMPDIR to another folder.";
    expect(await peyk("backup", "drill")).toEqual({
      code: 1,
      out: "",
      err: `peyk: No temporary folder can be made in ${area.path}/none: ${why}\n`,
    });
  });
});

describe("peyk backup ship", () => {
  /** A command that copies to `away`, unless that is read-only. */
  function shipper(lines: string): string {
    const path = join(area.path, "ship");
    writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return path;
  }
  const status = async () => JSON.parse((await peyk("status", "--json")).out);

  test("hands each copy over once, and status shows when the copy was made", async () => {
    const command = shipper(`cp "$1" ${area.path}/away.db && echo x >>${area.path}/runs`);
    expect((await peyk("backup", "ship", command)).out).toBe("There is no newer copy.\n");
    await peyk("backup", "create", nightly());
    for (const words of ["The newest copy is elsewhere now.\n", "There is no newer copy.\n"]) {
      expect(await peyk("backup", "ship", command)).toMatchObject({ code: 0, out: words });
    }
    expect(readFileSync(join(area.path, "away.db")).equals(readFileSync(nightly()))).toBe(true);
    const made = "2026-11-20T03:17:00.000Z";
    expect((await status()).backup).toEqual({ newestAt: made, shippedAt: made, shipFailure: null });
    await peyk("backup", "create", recent());
    await peyk("backup", "ship", command);
    expect(readFileSync(join(area.path, "runs"), "utf8")).toBe("x\nx\n");
  });

  test("shows a failure as a warning in status until it succeeds", async () => {
    await peyk("backup", "create", nightly());
    const failing = shipper('echo "no route to host" >&2; exit 3');
    const run = await peyk("backup", "ship", failing);
    expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/ended with 3: no route to host/) });
    const { warnings, backup } = await status();
    expect(backup).toMatchObject({ shippedAt: null });
    expect(warnings).toContainEqual(expect.stringMatching(/was not brought elsewhere: .*no route to host/));
    expect(await peyk("backup", "ship", shipper("true"))).toMatchObject({ code: 0 });
    expect((await status()).backup.shipFailure).toBeNull();
    expect(existsSync(join(server.folder, "shipped.json.new"))).toBe(false);
  });
});
