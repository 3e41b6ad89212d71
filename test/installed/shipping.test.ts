import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../support/machine.ts";
import { onMachine, root, slow } from "./on-machine.ts";

const opening = {
  prepare: () => Promise.resolve(),
  begin: async (machine: Machine) => {
    await machine.sh("sh /builds/install.sh /builds/peyk");
  },
};

onMachine("a backup that systemd brings elsewhere", opening, ({ machine }) => {
  test(
    "runs as documented after each copy, as the service's user, and a failure is a warning",
    async () => {
      const page = readFileSync(join(root, "docs/backup-and-restore.md"), "utf8");
      const lines = /start it after each copy[^`]*```sh\n([^`]*)```/.exec(page)?.[1]?.replaceAll("sudo ", "");
      expect(lines).toContain("peyk-ship-backup.path");
      await machine.sh(
        `printf '#!/bin/sh\\nid -un >/var/lib/peyk/by && cp "$1" /var/lib/peyk/away.db\\n' >/etc/peyk/ship-backup; chmod 0755 /etc/peyk/ship-backup`,
      );
      const copy = (name: string) =>
        `setpriv --reuid peyk --regid peyk --clear-groups sh -c 'mkdir -p /var/lib/peyk/backups && peyk backup create --data-dir /var/lib/peyk /var/lib/peyk/backups/${name}'`;
      await machine.sh(copy("peyk-20261120T031700Z.db"));
      await machine.sh(`set -e\n${lines}`);
      await machine.sh(copy("recent-20261120T033000Z.db"));
      await machine.until("cmp /var/lib/peyk/away.db /var/lib/peyk/backups/recent-20261120T033000Z.db", 60_000);
      expect(await machine.sh("cat /var/lib/peyk/by")).toBe("peyk");
      await machine.until('peyk status --json | grep \'"shippedAt":"2026-11-20T03:30:00.000Z"\'', 60_000);
      await machine.sh("printf '#!/bin/sh\\necho unreachable >&2; exit 1\\n' >/etc/peyk/ship-backup");
      await machine.sh(copy("recent-20261120T034500Z.db"));
      await machine.until("peyk status | grep 'was not brought elsewhere: .*unreachable'", 60_000);
    },
    slow,
  );
});
