import { expect, test } from "bun:test";
import { appendFileSync, copyFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { otherBuild } from "../support/builds.ts";
import { createSigningKey } from "../support/minisign.ts";
import { onMachine, slow } from "./on-machine.ts";

/** Releases in folders: signed, unsigned, signed by another maker whose installer names its own key, and changed after signing. */
async function prepare(builds: string): Promise<void> {
  const maker = createSigningKey();
  const forger = createSigningKey();
  const release = async (name: string, key: string) => {
    mkdirSync(join(builds, name));
    const file = join(builds, name, "peyk");
    await otherBuild(file, (sources) => sources.change("install.sh", "\nrelease_key=\n", `\nrelease_key=${key}\n`));
    const installer = Bun.spawnSync([file, "system", "file", "install.sh"]);
    writeFileSync(join(builds, name, "install.sh"), installer.stdout);
  };
  const sums = (name: string) => join(builds, name, "SHA256SUMS");
  await release("signed", maker.publicKey);
  for (const name of ["unsigned", "changed"]) {
    mkdirSync(join(builds, name));
    linkSync(join(builds, "signed", "peyk"), join(builds, name, "peyk"));
    copyFileSync(sums("signed"), sums(name));
  }
  await release("forged", forger.publicKey);
  for (const name of ["signed", "changed"]) maker.sign(sums(name));
  forger.sign(sums("forged"));
  appendFileSync(sums("changed"), "# and more\n");
}

onMachine("a signed release", { prepare }, ({ machine }) => {
  const dryRun = (name: string, installer = "signed", options = "") =>
    machine.run(`sh /builds/${installer}/install.sh --dry-run ${options} /builds/${name}/peyk`);
  const withoutOpenssl = async (work: () => Promise<void>) => {
    await machine.sh("mv /usr/bin/openssl /root/");
    await work();
    await machine.sh("mv /root/openssl /usr/bin/");
  };
  const bySigned = "Signed by the key of the releases.";

  test(
    "is verified by openssl at a first install, or the installer says that it was not",
    async () => {
      expect(await dryRun("signed")).toMatchObject({ code: 0, out: expect.stringContaining(bySigned) });
      for (const name of ["changed", "forged"]) {
        expect(await dryRun(name)).toMatchObject({ code: 1, err: expect.stringContaining("SHA256SUMS is wrong") });
      }
      await withoutOpenssl(async () => {
        const { code, out } = await dryRun("signed");
        expect({ code, out }).toEqual({
          code: 0,
          out: expect.stringContaining("is not verified: that takes openssl 3"),
        });
      });
      expect((await dryRun("unsigned")).out).toContain("is not verified: /builds/unsigned/SHA256SUMS is not signed");
    },
    slow,
  );

  test(
    "is verified by the installed build later, whatever key a new installer names, and no unsigned one follows by accident",
    async () => {
      expect(await machine.sh("sh /builds/signed/install.sh /builds/signed/peyk")).toContain(bySigned);
      await withoutOpenssl(async () => {
        expect(await dryRun("signed")).toMatchObject({ code: 0, out: expect.stringContaining(bySigned) });
        const forged = await dryRun("forged", "forged");
        expect(forged).toMatchObject({ code: 1, err: expect.stringContaining("It was made by another key.") });
        const changed = await dryRun("changed");
        expect(changed).toMatchObject({ code: 1, err: expect.stringContaining("The content is not what was signed.") });
      });
      const unsigned = await dryRun("unsigned");
      expect(unsigned).toMatchObject({ code: 1, err: expect.stringContaining("What is installed was signed") });
      expect((await dryRun("unsigned", "signed", "--unverified")).code).toBe(0);
      expect((await machine.run("peyk upgrade --dry-run /builds/unsigned/peyk")).code).toBe(1);
      expect(await machine.sh("peyk upgrade --dry-run --unverified /builds/unsigned/peyk")).toContain("Not verified");
    },
    slow,
  );

  test(
    "is followed only by a signed one, even with a checksum or from the network",
    async () => {
      const sum = (await machine.sh("sha256sum /builds/signed/peyk")).split(" ", 1).join();
      const other = (await machine.sh("sha256sum /builds/forged/peyk")).split(" ", 1).join();
      const upgrade = (name: string, options: string) =>
        machine.run(`peyk upgrade --dry-run ${options} /builds/${name}/peyk`);
      expect(await upgrade("signed", `--sha256 ${sum}`)).toMatchObject({
        code: 0,
        out: expect.stringContaining(bySigned),
      });
      const refused = { code: 1, err: expect.stringContaining("What is installed was signed") };
      expect(await upgrade("unsigned", `--sha256 ${sum}`)).toMatchObject(refused);
      expect(await dryRun("unsigned", "signed", `--sha256 ${sum}`)).toMatchObject(refused);
      expect((await upgrade("forged", `--sha256 ${other}`)).err).toContain("It was made by another key.");
      expect((await upgrade("signed", `--sha256 ${other}`)).err).toContain(
        "The checksum of /builds/signed/peyk is wrong",
      );
      await machine.sh("mkdir /root/alone && cp /builds/signed/peyk /root/alone/");
      expect((await machine.run(`peyk upgrade --dry-run --sha256 ${sum} /root/alone/peyk`)).err).toContain(
        "no SHA256SUMS",
      );
      const serve =
        "Bun.serve({port: 8099, fetch: (r) => new Response(Bun.file('/builds' + new URL(r.url).pathname))})";
      await machine.sh(`(BUN_BE_BUN=1 setsid peyk -e "${serve}" >/dev/null 2>&1 &)`);
      await machine.until("curl -fsS http://127.0.0.1:8099/signed/SHA256SUMS", 60_000);
      const fromNetwork = (name: string) =>
        machine.run(`peyk upgrade --dry-run --sha256 ${sum} "http://127.0.0.1:8099/${name}/peyk?from=a/mirror"`);
      expect(await fromNetwork("signed")).toMatchObject({ code: 0, out: expect.stringContaining(bySigned) });
      expect(await fromNetwork("unsigned")).toMatchObject(refused);
    },
    slow,
  );
});
