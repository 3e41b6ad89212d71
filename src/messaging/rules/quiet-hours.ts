/** Quiet hours of accounts: until when a message of theirs must wait, at its acceptance and at its handover alike. */

import { type MessageClass, messageClasses } from "../../domain/message.ts";
import { parseQuietWindow, QuietHours } from "../../domain/quiet-hours.ts";
import { plainTime } from "../../domain/time-text.ts";
import type { AccountTimeZones } from "../directory/account-time-zones.ts";
import type { Account } from "../directory/directory.ts";
import type { Judgement, ProspectiveMessage, Remark, TrafficRule } from "./traffic-rules.ts";

export interface QuietHoursDeps {
  directory: { account(id: number): Pick<Account, "quietHours" | "quietSingles"> | null };
  timeZones: Pick<AccountTimeZones, "of">;
  /** Of accounts that have none of their own. */
  settings: { windows: readonly string[]; singles: boolean };
}

/** The windows of a stored list. */
export const quietWindowTexts = (stored: string): string[] => stored.split(",").filter((text) => text !== "");

export class AccountQuietHours implements TrafficRule {
  readonly #deps: QuietHoursDeps;
  readonly #default: string;
  /** By the windows as they are stored, and the time zone. */
  readonly #known = new Map<string, QuietHours>();

  constructor(deps: QuietHoursDeps) {
    this.#deps = deps;
    this.#default = deps.settings.windows.join(",");
  }

  /** When the account's quiet hours end that a message of this class, due at `at`, would be sent in; null where it may go. */
  until(accountId: number, messageClass: MessageClass, at: number): number | null {
    const windows = this.windowsFor(accountId, messageClass);
    return windows === "" ? null : this.#quietHours(windows, this.#deps.timeZones.of(accountId)).until(at);
  }

  /** The stored windows that hold for messages of this class; empty for none. */
  windowsFor(accountId: number, messageClass: MessageClass): string {
    if (messageClass === messageClasses.otp) return "";
    const account = this.#deps.directory.account(accountId);
    const windows = account?.quietHours ?? this.#default;
    if (windows === "" || messageClass === messageClasses.bulk) return windows;
    return (account?.quietSingles ?? this.#deps.settings.singles) ? windows : "";
  }

  apply(message: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement {
    const { accountId, class: messageClass } = message;
    const until = this.until(accountId, messageClass, judgement.dueAt ?? message.sendAt ?? message.submittedAt);
    if (remarks !== undefined) this.#remark(message, until, remarks);
    return until === null ? judgement : { ...judgement, dueAt: until };
  }

  #remark({ accountId, class: messageClass }: ProspectiveMessage, until: number | null, remarks: Remark[]): void {
    const windows = this.windowsFor(accountId, messageClass);
    if (windows === "") return;
    const zone = this.#deps.timeZones.of(accountId);
    const wait = until === null ? "it need not wait" : `it waits until ${plainTime(until)}`;
    const words = `Quiet hours are ${windows.replaceAll(",", ", ")} in ${zone}: ${wait}.`;
    remarks.push({ rule: "quiet hours", words });
  }

  #quietHours(windows: string, timeZone: string): QuietHours {
    const key = `${windows} ${timeZone}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = new QuietHours(
        quietWindowTexts(windows).flatMap((text) => parseQuietWindow(text) ?? []),
        timeZone,
      );
      this.#known.set(key, known);
    }
    return known;
  }
}
