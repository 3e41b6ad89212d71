/** The remains of erased rows are overwritten without blocking the event loop. */
import { test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/store.ts";
import { moveAndErase, wipe } from "../support/erased-members.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

test("free space is overwritten without blocking the event loop", async () => {
  const folder = temporaryFolder();
  const open = (name: string) => openStore({ folder: join(folder.path, name), now: new ManualClock().now() });
  let store = open("0");
  const before = async (attempt: number) => {
    store.close();
    store = open(`attempt-${attempt}`);
    await moveAndErase(store, 30_000);
  };
  await expectNoHold(() => wipe(store), { before });
  store.close();
  folder.remove();
}, 180_000);
