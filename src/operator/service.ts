/** What operators do to the service as a whole: reload its certificate, release the queue, confirm the clock. */

import { settingsWithoutSecrets } from "../config/shown-settings.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { bookedAheadMsMax } from "../platform/booking-clock.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes, reads } from "./operation.ts";

export const serviceAdmin = {
  /** Answers once the new certificate is being served. */
  "POST /certificate/reload": changes({
    may: "system.change",
    run: ({ reloadCertificate }) => {
      const { refused, served } = reloadCertificate();
      if (refused !== null)
        throw new OperatorError("certificate_unusable", { code: "certificate", values: { reason: refused } });
      return { certificate: served === null ? null : { names: served.names, endsAt: isoTime(served.notAfter) } };
    },
    audit: {
      action: "certificate.reload",
      target: () => "certificate",
      told: (_, answer) => answer,
      needsNoStore: true,
    },
  }),
  /** Messages held since a copy was restored. */
  "POST /queue/release": changes({
    may: "system.change",
    run: async ({ sending, lanes }) => {
      const messages = lanes().reduce((sum, depth) => sum + depth.waiting, 0);
      const callbacks = sending.countCallbacks();
      return { released: await sending.release(), messages, callbacks };
    },
    audit: { action: "queue.release", target: () => "queue", told: (_, answer) => answer },
  }),
  /** After the wall clock jumped ahead or back. */
  "POST /clock/confirm": changes({
    may: "system.change",
    run: async ({ wallClock, bookingClock, clock }) => {
      const wasInDoubt = wallClock.doubt() !== null;
      const wasBookedAhead = booksAheadMs(bookingClock) !== null;
      await wallClock.confirm();
      return { now: isoTime(clock.now()), wasInDoubt, wasBookedAhead };
    },
    audit: { action: "clock.confirm", target: () => "clock", told: (_, answer) => answer },
  }),
};

/**
 * How far booked times are ahead of a trusted clock, which was wrong and has been set back. Null if it will catch up
 * soon.
 */
export function booksAheadMs(bookingClock: OperatorDeps["bookingClock"]): number | null {
  const aheadMs = bookingClock.aheadMs();
  return aheadMs > bookedAheadMsMax ? aheadMs : null;
}

type SettingsDeps = Pick<OperatorDeps, "settings" | "settingsSource">;

export function settingsAnswer({ settings, settingsSource: { file, origins } }: SettingsDeps) {
  /** `file`: the one that was read, or null. A confidential value is only reported as set. */
  return { file, settings: settingsWithoutSecrets({ settings, origins }) };
}

export const settingsAdmin = {
  "GET /settings": reads({ may: "system.read", run: settingsAnswer }),
};
