/** Forms that were sent and done: a repeat of one is not done again, but led to what the first one made. */

import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { type SessionOfUser, sessionKey } from "../../users/session-ends.ts";
import type { PageAnswer } from "./page.ts";

export interface SentForm {
  session: SessionOfUser;
  /** Of this drawing of the form; another text for one without. */
  number: string;
  /** To which it was posted: the buttons of one form may lead to several. */
  path: string;
  /** What was filled in: changed after going back, it is another form. */
  fields: string;
}

export interface SentFormsDeps {
  clock: Pick<Clock, "after">;
}

interface DoneForm {
  /** The page of what it made. */
  to: string;
  /** What its sender was answered; null some time later. */
  answer: PageAnswer | null;
}

export type RepeatedForm = DoneForm & { isRepeat: true };
export type FormAnswer = RepeatedForm | { isRepeat: false; answer: PageAnswer };

/** Null where it was not done after all. */
type Sent = Promise<DoneForm | null>;

/** A double click, and a reload after a slow network: the answer may show a secret, which is not kept for long. */
export const answerKeptMs = 60_000;
/** Of one session, and of sessions: the newest. */
export const formsKeptMax = 64;
const sessionsMax = 1_000;
const numberLike = /^[\w-]{8,64}$/;

export class SentForms {
  readonly #deps: SentFormsDeps;
  readonly #bySession = new Map<string, Map<string, Sent>>();

  constructor(deps: SentFormsDeps) {
    this.#deps = deps;
  }

  /** Does `act` once for a form; a repeat waits for the first. One that was not done may be sent again. */
  async answer({ session, number, path, fields }: SentForm, act: () => Promise<PageAnswer>): Promise<FormAnswer> {
    if (!numberLike.test(number)) return { isRepeat: false, answer: await act() };
    const forms = this.#formsOf(sessionKey(session));
    const key = `${number} ${path} ${fields}`;
    for (let first = forms.get(key); first !== undefined; first = forms.get(key)) {
      const done = await first;
      if (done !== null) return { isRepeat: true, ...done };
    }
    const { promise, resolve } = Promise.withResolvers<DoneForm | null>();
    forms.set(key, promise);
    dropOldest(forms, formsKeptMax);
    let done: DoneForm | null = null;
    try {
      const answer = await act();
      done = this.#doneBy(answer);
      return { isRepeat: false, answer };
    } finally {
      if (done === null) forms.delete(key);
      resolve(done);
    }
  }

  /** A session that ended sends nothing any more. */
  forget(session: SessionOfUser): void {
    this.#bySession.delete(sessionKey(session));
  }

  #formsOf(session: string): Map<string, Sent> {
    const forms = this.#bySession.get(session) ?? new Map<string, Sent>();
    // The session that sent last stands last.
    this.#bySession.delete(session);
    this.#bySession.set(session, forms);
    dropOldest(this.#bySession, sessionsMax);
    return forms;
  }

  #doneBy(answer: PageAnswer): DoneForm | null {
    const to = answer.kind === "redirect" ? answer.to : answer.kind === "document" ? answer.made : undefined;
    if (to === undefined) return null;
    const done: DoneForm = { to, answer };
    this.#deps.clock.after(answerKeptMs, () => {
      done.answer = null;
    });
    return done;
  }
}
