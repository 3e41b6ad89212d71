/** A customer inside the machine: sends, remembers what was acknowledged, and asks for the results. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../support/machine.ts";

/** A machine with other work may be slow; an acknowledged message that is lost is never sent. */
const sentMsMax = 30_000;

const script = `#!/bin/sh
# customer FIRST LAST: sends messages of these numbers and notes each one that was acknowledged.
i=$1
while [ "$i" -le "$2" ]; do
  code=$(curl -s -m 3 http://127.0.0.1:8080/v1/messages -H @/root/key -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: message-$i" -d '{"sender":"30001234","recipient":"09120000000","message":"Hello"}' |
    sed -n 's/.*"trackingCode":"\\([^"]*\\)".*/\\1/p')
  [ -z "$code" ] || echo "$code" >>/root/accepted
  i=$((i + 1))
done
`;

const unsent = `#!/bin/sh
# Prints every acknowledged message that was not sent. Receipts come from the simulator, which dies with the process and forgets
# them, as a network may: so "sent" is the end of some.
codes() { sed -n 's/.*"trackingCode":"\\([^"]*\\)".*/\\1/p'; }
xargs -n 100 </root/accepted | sed 's/ /","/g; s/.*/{"trackingCodes":["&"]}/' | while read -r asked; do
  curl -s -m 3 http://127.0.0.1:8080/v1/messages/status -H @/root/key -H 'Content-Type: application/json' -d "$asked" |
    sed 's/}/\\n/g' | grep '"status":"\\(sent\\|delivered\\)"' | codes
done | sort >/root/sent
sort -u /root/accepted | comm -23 - /root/sent
`;

/** Creates account, sender and key on the command line, and puts the customer's scripts into the machine. */
export async function customerIn(machine: Machine): Promise<void> {
  const place = join(machine.root, "usr/local/sbin");
  writeFileSync(join(place, "customer"), script, { mode: 0o755 });
  writeFileSync(join(place, "unsent"), unsent, { mode: 0o755 });
  await machine.sh(`
    set -e
    account=$(peyk account create --name Test --json | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
    peyk sender add --account "$account" --sender 30001234
    umask 077
    peyk key create --account "$account" --name test --rate 1000000 --json |
      sed 's/.*"apiKey":"\\([^"]*\\)".*/X-API-Key: \\1/' >/root/key`);
}

export async function acceptedIn(machine: Machine): Promise<number> {
  return Number(await machine.sh("wc -l </root/accepted"));
}

/** Waits until every acknowledged message is sent; otherwise throws with the first that is not, and its state. */
export async function allSent(machine: Machine): Promise<void> {
  await machine.until('[ -z "$(unsent)" ]', sentMsMax).catch(async (reason: unknown) => {
    const first = await machine.sh('unsent | head -n 1; peyk message show "$(unsent | head -n 1)"; peyk status');
    throw new Error(`Not sent within ${sentMsMax} ms: ${first}`, { cause: reason });
  });
}
