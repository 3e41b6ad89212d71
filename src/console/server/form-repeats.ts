/** Completed forms: a repeated one is not processed again, but gets the result of the first. */

import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { type SessionOfUser, sessionKey } from "../../users/session-ends.ts";
import type { PageAnswer } from "../page/page.ts";

export interface SubmittedForm {
  session: SessionOfUser;
  /** Identifies this rendering of the form; any other text for a form without a number. */
  number: string;
  /** The path it was posted to: one form's buttons may post to several. */
  path: string;
  /** The values: after going back and changing them, it is another form. */
  fields: string;
}

export interface FormRepeatsDeps {
  clock: Pick<Clock, "after">;
}

interface DoneForm {
  /** The page of what it created. */
  to: string;
  /** The answer to its sender; null after a while. */
  answer: PageAnswer | null;
}

export type RepeatedForm = DoneForm & { isRepeat: true };
export type FormAnswer = RepeatedForm | { isRepeat: false; answer: PageAnswer };

/** Null if it did not succeed. */
type Sent = Promise<DoneForm | null>;

/**
 * Covers a double click, and a reload on a slow network: the answer may show a secret, which must not be kept for long.
 */
export const answerKeptMs = 60_000;
/** The newest forms per session, and the newest sessions. */
export const formsKeptMax = 64;
const sessionsMax = 1_000;
const numberLike = /^[\w-]{8,64}$/;

export class FormRepeats {
  readonly #bySession = new Map<string, Map<string, Sent>>();

  constructor(private readonly deps: FormRepeatsDeps) {}

  /** Runs `act` once per form; a repeat waits for the first. A form that failed may be sent again. */
  async answer({ session, number, path, fields }: SubmittedForm, act: () => Promise<PageAnswer>): Promise<FormAnswer> {
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

  /** A session that has ended sends nothing more. */
  forget(session: SessionOfUser): void {
    this.#bySession.delete(sessionKey(session));
  }

  #formsOf(session: string): Map<string, Sent> {
    const forms = this.#bySession.get(session) ?? new Map<string, Sent>();
    // Moves the session to the end: most recent last.
    this.#bySession.delete(session);
    this.#bySession.set(session, forms);
    dropOldest(this.#bySession, sessionsMax);
    return forms;
  }

  #doneBy(answer: PageAnswer): DoneForm | null {
    const to = answer.kind === "redirect" ? answer.to : answer.kind === "document" ? answer.made : undefined;
    if (to === undefined) return null;
    const done: DoneForm = { to, answer };
    this.deps.clock.after(answerKeptMs, () => {
      done.answer = null;
    });
    return done;
  }
}
