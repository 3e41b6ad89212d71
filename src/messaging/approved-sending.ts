/** Groups, patterns and one-time passwords, put together: everything that is sent in words which somebody approved. */
import type { Clock } from "../platform/clock.ts";
import { createKeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Store } from "../store/store.ts";
import type { AccountDirectory } from "./directory/sender-choice.ts";
import { groupSender } from "./groups/group-send.ts";
import { groupService } from "./groups/group-service.ts";
import { listReaders } from "./groups/list-readers.ts";
import type { Acceptor, Waiting } from "./messages/accept.ts";
import { stager } from "./messages/staging.ts";
import { otpGuard } from "./otp/otp-guard.ts";
import { otpService } from "./otp/otp-service.ts";
import type { OtpTexts } from "./otp/otp-texts.ts";
import { patternSender } from "./patterns/pattern-send.ts";
import { patternService } from "./patterns/pattern-service.ts";

export interface ApprovedSendingSettings {
  defaultRegion: string;
  idempotency: { days: number };
  groups: { membersMax: number };
  otp: {
    text: string;
    resendSeconds: number;
    perHour: number;
    perDay: number;
    fraudGuard: boolean;
    rangePerHour: number;
  };
}

export interface ApprovedSendingDeps {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  directory: AccountDirectory;
  acceptor: Acceptor;
  /** Told of messages once the queue has them. */
  accepted(waiting: readonly Waiting[]): void;
  texts: OtpTexts;
  /** The content of the key file. */
  key: Uint8Array;
  settings: ApprovedSendingSettings;
}

export type ApprovedSending = ReturnType<typeof approvedSending>;

export function approvedSending(parts: ApprovedSendingDeps) {
  const { settings, key } = parts;
  const { defaultRegion } = settings;
  const readers = listReaders();
  const staging = stager(parts);
  const groups = groupService({ ...parts, readers, defaultRegion, membersMax: settings.groups.membersMax });
  const { fraudGuard: on, rangePerHour, text, resendSeconds, perHour, perDay } = settings.otp;
  const guard = otpGuard({ ...parts, on, rangePerHour });
  const otp = otpService({
    ...parts,
    guard,
    codeHash: createKeyedHash(key, "one-time passwords"),
    requestHash: createKeyedHash(key, "requests that carry a code"),
    text,
    limits: { resendMs: resendSeconds * 1_000, perHour, perDay },
  });

  return {
    groups,
    groupSender: groupSender({ ...parts, stager: staging, readers, defaultRegion }),
    patterns: patternService(parts),
    patternSender: patternSender(parts),
    otp,
    guard,

    /** Takes up what a crash left half done. To be called once the queue is served. */
    start(): void {
      staging.recover();
      groups.tidy();
    },

    /** Raises the fraud guard's alarms; every minute or so. */
    watch: guard.watch,

    /** Forgets codes that nothing depends on any more. */
    forgetOld: () => otp.forget(settings.idempotency.days),

    /** Resolves once nothing goes on in the background. */
    async settled(): Promise<void> {
      await staging.settled();
      await groups.settled();
    },

    /** Ends the work in the background where the next start can go on with it. */
    async stop(): Promise<void> {
      groups.stop();
      await staging.stop();
      await groups.settled();
    },
  };
}
