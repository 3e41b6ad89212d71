/** Quiet hours of accounts: how long a message must wait, checked both at acceptance and at hand-over. */

import { type MessageClass, messageClasses } from "../../domain/message.ts";
import { parseQuietWindow, QuietHours } from "../../domain/quiet-hours.ts";
import { plainTime } from "../../domain/time-text.ts";
import type { AccountTimeZones } from "../directory/account-time-zones.ts";
import type { Account } from "../directory/directory.ts";
import type { ProspectiveMessage, Remark, TrafficDecision, TrafficRule } from "./traffic-rules.ts";

export interface QuietHoursDeps {
  directory: { account(id: number): Pick<Account, "quietHours" | "quietSingles"> | null };
  timeZones: Pick<AccountTimeZones, "of">;
  /** For accounts without quiet hours of their own. */
  settings: { windows: readonly string[]; singles: boolean };
}

/** The windows of a stored list. */
export const quietWindowTexts = (stored: string): string[] => stored.split(",").filter((text) => text !== "");

export class AccountQuietHours implements TrafficRule {
  readonly #default: string;
  /** Keyed by the stored windows and the time zone. */
  readonly #known = new Map<string, QuietHours>();

  constructor(private readonly deps: QuietHoursDeps) {
    this.#default = deps.settings.windows.join(",");
  }

  /**
   * The end of the account's quiet hours that a message of this class, due at `at`, would fall into; null if it may go.
   */
  until(accountId: number, messageClass: MessageClass, at: number): number | null {
    const windows = this.windowsFor(accountId, messageClass);
    return windows === "" ? null : this.#quietHours(windows, this.deps.timeZones.of(accountId)).until(at);
  }

  /** The stored windows that apply to messages of this class; empty for none. */
  windowsFor(accountId: number, messageClass: MessageClass): string {
    if (messageClass === messageClasses.otp) return "";
    const account = this.deps.directory.account(accountId);
    const windows = account?.quietHours ?? this.#default;
    if (windows === "" || messageClass === messageClasses.bulk) return windows;
    return (account?.quietSingles ?? this.deps.settings.singles) ? windows : "";
  }

  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    const { accountId, class: messageClass } = message;
    const until = this.until(accountId, messageClass, decision.dueAt ?? message.sendAt ?? message.submittedAt);
    if (remarks !== undefined) this.#remark(message, until, remarks);
    return until === null ? decision : { ...decision, dueAt: until };
  }

  #remark({ accountId, class: messageClass }: ProspectiveMessage, until: number | null, remarks: Remark[]): void {
    const windows = this.windowsFor(accountId, messageClass);
    if (windows === "") return;
    const zone = this.deps.timeZones.of(accountId);
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
