/** A form on a full disk: its sender is told, and sends it again once there is room. */
import { expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionHeader } from "../../src/console/security.ts";
import { signedInAs, startConsole } from "../support/console.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

function fill(path: string): void {
  const block = new Uint8Array(4 * 1024 * 1024);
  for (const length of [block.length, 64 * 1024, 1_024]) {
    try {
      for (;;) writeFileSync(path, block.subarray(0, length), { flag: "a" });
    } catch {}
  }
}

const accountForm = (name: string) => ({ name, "form-number": "12345678" });

testWith("root", "a mount namespace")(
  "a form posted while the disk is full says that nothing was saved, and keeps what was typed",
  async () => {
    const folder = temporaryFolder();
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.path]).exitCode).toBe(0);
    const server = await startConsole(() => ({ dataDir: folder.path }));
    const filler = join(folder.path, "filler");
    try {
      const owner = await signedInAs(server, "owner");
      fill(filler);
      let [name, refused] = ["", new Response()];
      for (let number = 1; refused.status !== 503; number += 1) {
        name = `Shop "${number}" ${"x".repeat(60)}`;
        refused = await owner.post("/accounts/new", accountForm(name));
      }
      // Tells the script of a page that the answer is not a proxy's.
      expect(refused.headers.has(versionHeader)).toBe(true);
      const page = await refused.text();
      expect(page).toContain("Nothing was saved");
      expect(page).toContain("The disk of the service is full");
      const typed = [...page.matchAll(/type="hidden" name="name" value="([^"]*)"/g)].map(([, value]) => value);
      expect(typed).toEqual([name.replaceAll(`"`, "&quot;")]);
      expect(page).toContain('action="/accounts/new"');
      rmSync(filler);
      let again = await owner.post("/accounts/new", accountForm(name));
      while (again.status === 503) again = await owner.post("/accounts/new", accountForm(name));
      expect([again.status, again.headers.get("Location")]).toEqual([303, expect.stringMatching(/^\/accounts\/acc_/)]);
    } finally {
      await server.stop();
      Bun.spawnSync(["umount", "--lazy", folder.path]);
      folder.remove();
    }
  },
);
