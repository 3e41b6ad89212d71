/** Mails what rules pass on, to addresses that somebody of the account has confirmed: stored first, sent after. */
import { type Background, background } from "../../platform/background.ts";
import { type Clock, isoTime } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { inNextTurn } from "../../platform/next-turn.ts";
import type { AvailableInbound } from "../../store/inbound.ts";
import type { InboundMailRow } from "../../store/inbound-rules.ts";
import type { AnswerGate } from "../../store/replication.ts";
import type { Store } from "../../store/store.ts";

export interface InboundMailsDeps {
  store: Store;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  /** Null if no mail server is set. */
  send: ((to: string, subject: string, text: string) => Promise<void>) | null;
  answerGate?: Pick<AnswerGate, "pass"> | null;
}

const minuteMs = 60_000;
/** Over seventeen hours, the waits doubling from a minute. */
const attemptsMax = 11;
const atOnce = 50;

export class InboundMails {
  readonly #deps: InboundMailsDeps;
  readonly #background: Background;
  #isRunning = false;
  #isStarted = false;
  #isStopped = false;

  constructor(deps: InboundMailsDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
  }

  isConfirmed(accountId: number, mail: string): boolean {
    const { balanceWatches } = this.#deps.store.tables;
    return balanceWatches.confirmed().some((one) => one.accountId === accountId && one.mail === mail);
  }

  /** Call inside the transaction of the text. */
  record({ trackingCode, accountId }: AvailableInbound, mail: string, dueAt: number): void {
    if (this.#deps.send === null) return;
    this.#deps.store.tables.inboundRules.addMail({ trackingCode, accountId, mail, dueAt });
    inNextTurn(() => this.wake());
  }

  /** Nothing is mailed until this is called. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Sends what is due. Called every minute, too, for those that failed. */
  wake(): void {
    const { send } = this.#deps;
    if (!this.#isStarted || this.#isRunning || this.#isStopped || send === null) return;
    this.#isRunning = true;
    this.#background.run("mail texts from phones", () => this.#sendDue(send).finally(() => (this.#isRunning = false)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#background.settled();
  }

  async #sendDue(send: NonNullable<InboundMailsDeps["send"]>): Promise<void> {
    const { store, clock, answerGate } = this.#deps;
    for (;;) {
      const due = store.tables.inboundRules.dueMails(clock.now(), atOnce);
      if (due.length === 0) return;
      for (const row of due) {
        // Nothing is mailed that a node taking over would not know.
        await answerGate?.pass();
        if (this.#isStopped) return;
        const isOver = await this.#attempt(row, send);
        const attempts = row.attempts + 1;
        const dueAt = clock.now() + minuteMs * 2 ** row.attempts;
        await store.write(({ inboundRules }) => {
          if (isOver || attempts >= attemptsMax) inboundRules.removeMail(row.id);
          else inboundRules.delayMail(row.id, attempts, dueAt);
        });
      }
    }
  }

  /** True once there is nothing more to do. */
  async #attempt(row: InboundMailRow, send: NonNullable<InboundMailsDeps["send"]>): Promise<boolean> {
    const text = this.#deps.store.tables.inbound.byCode(row.trackingCode);
    if (text === null || !this.isConfirmed(row.accountId, row.mail)) return true;
    const facts = [text.sender, `→ ${text.receiver}`, isoTime(text.receivedAt), text.trackingCode].join(" · ");
    try {
      await send(row.mail, `${text.sender} → ${text.receiver}`, `${text.text}\n\n${facts}\n`);
      return true;
    } catch (reason) {
      this.#deps.log.warn({ err: reason, inbound: row.trackingCode }, "a text from a phone could not be mailed");
      return false;
    }
  }
}
