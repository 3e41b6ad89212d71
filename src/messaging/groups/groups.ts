/** Approved groups, put together: what an operator does with them, sending to them, and the work of both in the background. */
import type { RecipientNumbers } from "../../domain/phone-number.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import type { Store } from "../../store/store.ts";
import type { AccountDirectory } from "../directory/sender-choice.ts";
import type { SendingCountries } from "../directory/sending-countries.ts";
import type { Acceptor, QueuedMessage } from "../messages/accept.ts";
import { Stager } from "../messages/staging.ts";
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
  /** Told of messages once the queue has them. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** For numbers that are written the national way. */
  defaultRegion: string;
  numbers: RecipientNumbers;
  /** Members that one group may have. */
  membersMax: number;
}

export type Groups = ReturnType<typeof openGroups>;

export function openGroups(deps: GroupsDeps) {
  const readers = listReaders();
  const staging = new Stager(deps);
  const service = new GroupService({ ...deps, readers });
  return {
    service,
    /** Of requests of very many messages, those to groups and others. */
    stager: staging,
    sender: new GroupSender({ ...deps, stager: staging, readers }),
    /** Whether a list is being sent to or imported. */
    isListRead: readers.isRead,

    /** Resumes what a crash interrupted. To be called once the queue is served. */
    start(): void {
      staging.recover();
      service.tidy();
    },

    /** Resolves once nothing runs in the background. */
    async settled(): Promise<void> {
      await staging.settled();
      await service.settled();
    },

    /** Ends the background work at a point from which the next start resumes it. */
    async stop(): Promise<void> {
      service.stop();
      await staging.stop();
      await service.settled();
    },
  };
}
