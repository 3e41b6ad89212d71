/** What must hold in every run. */

/** Each has a name by which it can be switched off. */
export const invariants = {
  stored: "what was acknowledged is stored, once, under its code",
  "one request": "an Idempotency-Key stands for one request",
  forward: "a public status goes only forward",
  cancelled: "nothing is submitted after its cancel was confirmed",
  stopped: "nothing is submitted of a suspended account, or to a recipient that opted out",
  "doubles told": "a submit beyond the first is told as uncertain",
  "doubles needed": "a message is submitted again only where its answer may not be known",
  "submits bounded": "a message of unknown outcome is submitted no more often than the policy says",
  refusals: "each refusal of the carrier is told in the timeline",
  receipts: "an acknowledged receipt decides its message",
  texts: "an acknowledged text from a phone is its customer's, once and whole",
  steps: "no challenge has two steps of one number at once, and no kill loses or doubles one",
  replies: "a text from a phone has one reply",
  rules: "the first rule that takes a text decides, in the order of that moment",
  forwards: "what a rule mails, and what it calls a program for, is neither lost nor repeated",
  lookups: "no number is asked about twice at once, again after its answer, or if the table has it",
  budget: "the questions of a day stay within its budget, over restarts",
  needed: "where a look-up is needed, nothing is accepted without its answer",
  ported: "a number that moved has the network of the table",
  "window and rate": "no route has more unanswered submits, or sends faster, than it may",
  events: "each change of status has its event, in order",
  "events once": "an acknowledged event does not come again",
  answers: "every request is answered, with no 5xx but 503",
  "on time": "nothing leaves before its time",
  prompt: "what is due leaves soon where nothing holds it",
  ends: "once faults end, everything ends",
  starts: "a start succeeds after a crash",
  whole: "the database is whole",
  sums: "what is counted as it happens equals a full count",
  quota: "what a quota has counted equals a full count, and is not exceeded",
  attempts: "a submit that the carrier throttled costs no attempt",
  validity: "nothing expires within its validity",
  guesses: "a code is guessed at five times, whatever happens meanwhile",
  revoked: "nothing is answered to a revoked key",
  erased: "no number that was erased is in the folder",
  secrets: "no one-time password is in the folder",
  bounded: "memory and timers stay bounded",
  "one leader":
    "the log of a cluster takes nothing of a leader that was replaced, and all nodes end with the same file",
  defects: "nothing throws what nobody expects",
} as const;

export type Invariant = keyof typeof invariants;

export const isInvariant = (name: string): name is Invariant => name in invariants;
