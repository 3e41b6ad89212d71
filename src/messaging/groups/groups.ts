/** Assembles approved groups: operator actions, sending, and the background work of both. */
import type { RecipientNumbers } from "../../domain/phone-number.ts";
import { background } from "../../platform/background.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { LoopTurns } from "../../platform/loop-turns.ts";
import type { Random } from "../../platform/random.ts";
import type { Store } from "../../store/store.ts";
import type { AccountDirectory } from "../directory/sender-choice.ts";
import type { SendingCountries } from "../directory/sending-countries.ts";
import type { Acceptor, QueuedMessage } from "../messages/accept.ts";
import { Stager } from "../messages/staging.ts";
import { GroupChanges } from "./group-changes.ts";
import { GroupSender } from "./group-send.ts";
import { GroupService } from "./group-service.ts";
import { listReaders } from "./list-readers.ts";

export interface GroupsDeps {
  store: Store;
  clock: Clock;
  random: Pick<Random, "bytes">;
  log: Logger;
  directory: AccountDirectory;
  countries: Pick<SendingCountries, "of">;
  acceptor: Acceptor;
  /** Called with messages once they are in the queue. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** For numbers in national format. */
  defaultRegion: string;
  numbers: RecipientNumbers;
  /** Maximum number of members in a group. */
  membersMax: number;
}

export type Groups = ReturnType<typeof openGroups>;

export function openGroups(deps: GroupsDeps) {
  const readers = listReaders();
  const turns = new LoopTurns();
  const staging = new Stager(deps);
  const service = new GroupService({ ...deps, readers });
  const changing = background(deps.log);
  const changes = new GroupChanges({ ...deps, background: changing, readers });
  return {
    service,
    /** Of single members. */
    changes,
    /** For very large requests, to groups or not. */
    stager: staging,
    turns,
    sender: new GroupSender({ ...deps, stager: staging, readers, turns }),
    /** True while a list is being sent to or imported. */
    isListRead: readers.isRead,

    /** Resumes what a crash interrupted. Call once the queue is running. */
    start(): void {
      staging.recover();
      service.tidy();
      changes.wake();
    },

    /** Resolves once no background work is running. */
    async settled(): Promise<void> {
      await staging.settled();
      await service.settled();
      await changing.settled();
    },

    /** Stops the background work at a point where the next start can resume it. */
    async stop(): Promise<void> {
      service.stop();
      await staging.stop();
      await service.settled();
      await changing.settled();
    },
  };
}
