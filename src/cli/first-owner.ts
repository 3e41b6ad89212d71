/** On a terminal, `peyk serve` prints the link by which the first owner chooses a password: nobody can sign in before. */

import { operatorClient } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import { type CliIo, callingUser } from "./io.ts";
import { linkText } from "./user.ts";

/** Never where it would be kept: whoever reads a journal or a log could become the owner. */
export async function tellFirstOwner(io: CliIo, { dataDir, path }: { dataDir: string; path: string }): Promise<void> {
  if (io.outIsTerminal !== true || io.env.NOTIFY_SOCKET !== undefined) return;
  try {
    const link = await operatorClient({ path, dataDir, user: callingUser(io.env) })("POST /users/setup-link");
    io.out(`\n${linkText(link)}\n`);
  } catch (reason) {
    // There is an owner, or this node does not lead; `peyk user setup-link` says which.
    if (!(reason instanceof CommandFailed)) throw reason;
  }
}
