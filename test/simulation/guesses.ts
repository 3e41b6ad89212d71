/** Somebody who does not know a code, and tries. */
import type { Chance } from "./chance.ts";
import type { Ask } from "./customers.ts";
import type { Journal } from "./journal.ts";
import { time } from "./virtual-time.ts";

interface Challenge {
  challengeId: string;
}

export const isChallenge = (body: unknown): body is Challenge =>
  typeof body === "object" && body !== null && "challengeId" in body && typeof body.challengeId === "string";

/** A code that is not among the ten thousand million that Peyk draws from. */
const wrong = "00000";
const guessesMax = 5;
const tries = 12;

/** What was answered was counted, also by a service that died right after it. */
export function guessAt(challengeId: string, ask: Ask, chance: Chance, journal: Journal): void {
  let counted = 0;
  const guess = (left: number) => {
    if (left === 0) return;
    time.after(chance.between(100, 3_000), () => {
      const path = `/v1/otp/challenges/${challengeId}/verify`;
      ask({ method: "POST", path, body: { code: wrong } }, (answer) => {
        const { status, body } = answer ?? { status: 0, body: null };
        if (status === 200 && typeof body === "object" && body !== null && "attemptsRemaining" in body) {
          counted += 1;
          if (counted > guessesMax || Number(body.attemptsRemaining) > guessesMax - counted)
            journal.violated("guesses", `guess ${counted} at ${challengeId} leaves ${String(body.attemptsRemaining)}`);
        } else if (status !== 0 && ![403, 409, 429, 503].includes(status))
          journal.violated("answers", `a guess at ${challengeId}: ${status}`);
        guess(left - 1);
      });
    });
  };
  guess(tries);
}
