/** The plan of a run, drawn from its seed: the behaviour of carriers and receivers, what customers send, and every fault with its time. */
import { Chance } from "./chance.ts";
import type { Cut, Refusal } from "./disk.ts";
import { isDropInKind } from "./drop-in.ts";
import { takings } from "./takings.ts";

export type CarrierName = "smpp" | "http";

/** Probabilities of what a carrier does with a submit. */
export interface CarrierTemper {
  temporary: number;
  throttles: number;
  rejects: number;
  silent: number;
  /** Answers after the time-out. */
  late: number;
  resets: number;
  /** A receipt arrives before the answer. */
  early: number;
  repeatsReceipts: number;
  noReceipt: number;
  /** Receipts for ids that it never gave. */
  lies: number;
  /** After an outage it gives ids again whose messages are over. */
  reusesIds: number;
}

/** Probabilities of what a receiver of callbacks does with a request. */
export interface ReceiverTemper {
  refuses: number;
  hangs: number;
  fails: number;
  loses: number;
}

/** Probabilities of what a service that is asked for networks does with a question. */
export interface LookupTemper {
  hangs: number;
  fails: number;
  /** Names a network that nobody knows. */
  lies: number;
  /** Without an answer a request is refused. */
  isNeeded: boolean;
  /** Questions a day. */
  budget: number;
}

export interface RouteTuning {
  window: number;
  responseTimeoutMs: number;
  partsPerSecond: number | null;
  onUncertain: "resend" | "fail";
  resends: number;
}

export type MessageKind =
  | "single"
  | "batch"
  /** A body that the thread for large bodies parses. */
  | "large batch"
  | "otp"
  /** A code that Peyk makes, and somebody guesses at. */
  | "challenge"
  /** One that has further steps. */
  | "challenge by steps"
  | "scheduled"
  | "long"
  | "pattern"
  | "group"
  | "by SMPP"
  | "by Kannel"
  | "by Jasmin";

export interface PlannedMessage {
  number: number;
  atMs: number;
  carrier: CarrierName;
  kind: MessageKind;
  /** Of the group that it is sent to, from 0; null for none. */
  group: number | null;
  /** How many recipients, of a batch or a group. */
  size: number;
  /** Until its scheduled time, after acceptance. */
  delayMs: number;
  repeatAfterMs: number | null;
  /** Is sent twice at once, with one key. */
  doubles: boolean;
  /** Uses its key for another operation as well. */
  crosses: boolean;
  cancelAfterMs: number | null;
}

/** A text from a phone. */
export interface PlannedText {
  number: number;
  atMs: number;
  parts: number;
  /** A rule of the line replies to it. */
  asks: boolean;
}

export type PlannedFault = { atMs: number } & (
  | { kind: "kill"; cut: Cut | null }
  /** Within a commit: the process dies at a change of the disk. */
  | { kind: "crash"; changes: number; cut: Cut | null }
  /** The following start dies as well. */
  | { kind: "crash twice"; changes: number; startChanges: number; cut: Cut | null }
  | { kind: "disk"; refusal: Refusal; forMs: number; cut: Cut | null }
  | { kind: "carrier down"; carrier: CarrierName; forMs: number }
  | { kind: "reset"; carrier: CarrierName }
  | { kind: "receiver down"; forMs: number }
  | { kind: "stop" }
  | { kind: "clock"; byMs: number; forMs: number }
  | { kind: "suspend"; forMs: number }
  | { kind: "drain"; carrier: CarrierName; forMs: number }
  | { kind: "opt-out"; message: number }
  /** This many parts a month, for a while. */
  | { kind: "quota"; parts: number; forMs: number }
  | { kind: "price"; price: number }
  /** The key for asking statuses is revoked, and replaced by another. */
  | { kind: "revoke" }
  | { kind: "erase"; message: number }
  /** Beside each request of a customer the operator makes one that its own transaction refuses. */
  | { kind: "refused"; forMs: number }
  /** A rule is put among those of the line, or its first one is moved: see `takings`. */
  | { kind: "rule"; taking: number; place: number; moves: boolean }
  /** A table of ported numbers is imported, with so many that nobody sends to. */
  | { kind: "ported"; numbers: number }
);

export interface Plan {
  seed: number;
  busyMs: number;
  carriers: Record<CarrierName, CarrierTemper>;
  receiver: ReceiverTemper;
  /** Null: nobody is asked. */
  lookup: LookupTemper | null;
  routes: Record<CarrierName, RouteTuning>;
  messages: PlannedMessage[];
  /** Of another customer, who uses the keys of the first, and has little to send. */
  others: PlannedMessage[];
  texts: PlannedText[];
  faults: PlannedFault[];
}

/** Most seeds have little of each, some have much of one: a defect may show only where nothing else disturbs. */
export function weight(chance: Chance, usual: number, most: number): number {
  const roll = chance.fraction();
  if (roll < 0.35) return 0;
  return roll < 0.85 ? usual : most;
}

const temperOf = (chance: Chance): CarrierTemper => ({
  temporary: weight(chance, 0.05, 0.4),
  throttles: weight(chance, 0.02, 0.2),
  rejects: weight(chance, 0.02, 0.1),
  silent: weight(chance, 0.02, 0.25),
  late: weight(chance, 0.02, 0.15),
  resets: weight(chance, 0.01, 0.05),
  early: weight(chance, 0.05, 0.5),
  repeatsReceipts: weight(chance, 0.05, 0.5),
  noReceipt: weight(chance, 0.02, 0.1),
  lies: weight(chance, 0.02, 0.2),
  reusesIds: weight(chance, 0.3, 1),
});

const receiverOf = (chance: Chance): ReceiverTemper => ({
  refuses: weight(chance, 0.02, 0.2),
  hangs: weight(chance, 0.01, 0.05),
  fails: weight(chance, 0.05, 0.3),
  loses: weight(chance, 0.01, 0.1),
});

const plentiful = 1_000_000;

function lookupOf(chance: Chance, terms: Chance): LookupTemper | null {
  if (!chance.happens(0.3)) return null;
  const temper = {
    hangs: weight(chance, 0.05, 0.4),
    fails: weight(chance, 0.05, 0.3),
    lies: weight(chance, 0.05, 0.3),
  };
  // Where an answer is needed, a spent budget would refuse everything until the next day.
  const isNeeded = terms.happens(0.4);
  return { ...temper, isNeeded, budget: !isNeeded && terms.happens(0.6) ? terms.between(1, 30) : plentiful };
}

const routeOf = (chance: Chance): RouteTuning => ({
  window: chance.oneOf([2, 5, 10, 10, 50]),
  responseTimeoutMs: chance.oneOf([2_000, 5_000, 5_000, 10_000]),
  partsPerSecond: chance.happens(0.25) ? chance.oneOf([5, 10, 40]) : null,
  onUncertain: chance.happens(0.2) ? "fail" : "resend",
  resends: chance.oneOf([0, 1, 2, 2, 2]),
});

/** In every run. */
export const validityHours = 3;
const lateScheduleMs = 4 * 3_600_000;

/** Each is used at most once in a run: no two messages share a recipient. */
export const groupCount = 3;
export const groupSize = 7;

function messageOf(chance: Chance, number: number, busyMs: number): PlannedMessage {
  const group = number < groupCount && chance.happens(0.5) ? number : null;
  const kind: MessageKind =
    group === null
      ? chance.oneOf<MessageKind>([
          "single",
          "single",
          "single",
          "by SMPP",
          "by SMPP",
          "pattern",
          "batch",
          "large batch",
          "by Kannel",
          "by Jasmin",
          "otp",
          "challenge",
          "scheduled",
          "long",
        ])
      : "group";
  return {
    number,
    atMs: chance.between(0, busyMs),
    carrier: chance.happens(0.6) ? "smpp" : "http",
    kind,
    group,
    size: kind === "batch" || kind === "large batch" ? chance.between(2, 5) : kind === "group" ? groupSize : 1,
    delayMs: kind === "scheduled" ? chance.between(60_000, 150_000) : 0,
    repeatAfterMs: chance.happens(0.1) ? chance.between(0, 3_000) : null,
    doubles: false,
    crosses: chance.happens(0.1),
    cancelAfterMs: chance.happens(kind === "scheduled" ? 0.4 : 0.12) ? chance.between(0, 400) : null,
  };
}

const cutOf = (chance: Chance): Cut | null =>
  chance.happens(0.65) ? chance.oneOf(["all", "by chance", "the last"]) : null;

function crashesOf(chance: Chance, busyMs: number): PlannedFault[] {
  // A quarter of the seeds has no crash: some defects show only there.
  const everyMs = chance.happens(0.25) ? null : chance.oneOf([6_000, 10_000, 20_000]);
  const crashes: PlannedFault[] = [];
  if (everyMs === null) return crashes;
  for (let atMs = chance.between(1_000, everyMs); atMs < busyMs; atMs += chance.between(everyMs / 2, everyMs * 2)) {
    const changes = chance.between(1, 25);
    const roll = chance.fraction();
    const cut = cutOf(chance);
    if (roll < 0.2) crashes.push({ atMs, kind: "kill", cut });
    else if (roll < 0.8) crashes.push({ atMs, kind: "crash", changes, cut });
    else if (roll < 0.92)
      crashes.push({ atMs, kind: "crash twice", changes, startChanges: chance.between(1, 30), cut });
    else crashes.push({ atMs, kind: "stop" });
  }
  return crashes;
}

type FaultAt = (chance: Chance, atMs: number, messages: number) => PlannedFault;

const carrierOf = (chance: Chance): CarrierName => chance.oneOf(["smpp", "http"]);

const kinds: readonly { share: number; everyMs: number; fault: FaultAt }[] = [
  {
    share: 0.4,
    everyMs: 8_000,
    fault: (chance, atMs) => ({
      atMs,
      kind: "disk",
      refusal: chance.oneOf(["full", "full", "full", "broken", "sync fails"]),
      forMs: chance.between(10, 4_000),
      cut: cutOf(chance),
    }),
  },
  {
    share: 0.5,
    everyMs: 12_000,
    fault: (chance, atMs) => ({
      atMs,
      kind: "carrier down",
      carrier: carrierOf(chance),
      forMs: chance.between(200, 8_000),
    }),
  },
  { share: 0.3, everyMs: 9_000, fault: (chance, atMs) => ({ atMs, kind: "reset", carrier: carrierOf(chance) }) },
  {
    share: 0.3,
    everyMs: 20_000,
    fault: (chance, atMs) => ({ atMs, kind: "receiver down", forMs: chance.between(500, 20_000) }),
  },
  {
    share: 0.15,
    everyMs: 20_000,
    fault: (chance, atMs) => ({
      atMs,
      kind: "clock",
      byMs: chance.oneOf([-3_600_000, -5_000, 2_000, 60_000, 7_200_000]),
      forMs: chance.between(500, 10_000),
    }),
  },
  {
    share: 0.2,
    everyMs: 20_000,
    fault: (chance, atMs) => ({ atMs, kind: "suspend", forMs: chance.between(100, 5_000) }),
  },
  {
    share: 0.2,
    everyMs: 20_000,
    fault: (chance, atMs) => ({ atMs, kind: "drain", carrier: carrierOf(chance), forMs: chance.between(100, 5_000) }),
  },
  {
    share: 0.25,
    everyMs: 8_000,
    fault: (chance, atMs, messages) => ({ atMs, kind: "opt-out", message: chance.between(0, messages - 1) }),
  },
  {
    share: 0.2,
    everyMs: 15_000,
    fault: (chance, atMs) => ({
      atMs,
      kind: "quota",
      parts: chance.between(0, 60),
      forMs: chance.between(500, 8_000),
    }),
  },
  {
    share: 0.2,
    everyMs: 10_000,
    fault: (chance, atMs) => ({ atMs, kind: "price", price: chance.between(1, 500) }),
  },
  { share: 0.25, everyMs: 20_000, fault: (_, atMs) => ({ atMs, kind: "revoke" }) },
  {
    share: 0.3,
    everyMs: 10_000,
    fault: (chance, atMs, messages) => ({ atMs, kind: "erase", message: chance.between(0, messages - 1) }),
  },
  {
    share: 0.25,
    everyMs: 12_000,
    fault: (chance, atMs) => ({ atMs, kind: "refused", forMs: chance.between(1_000, 6_000) }),
  },
  {
    share: 0.3,
    everyMs: 8_000,
    fault: (chance, atMs) => ({ atMs, kind: "ported", numbers: chance.between(1, 500) }),
  },
  {
    share: 0.6,
    everyMs: 4_000,
    fault: (chance, atMs) => ({
      atMs,
      kind: "rule",
      taking: chance.between(0, takings.length - 1),
      place: chance.between(1, 4),
      moves: chance.happens(0.4),
    }),
  },
];

function faultsOf(seed: number, busyMs: number, messages: number): PlannedFault[] {
  const faults = crashesOf(new Chance(seed, "crashes"), busyMs);
  for (const [index, { share, everyMs, fault }] of kinds.entries()) {
    const chance = new Chance(seed, "faults", index);
    if (!chance.happens(share)) continue;
    for (let atMs = chance.between(500, everyMs); atMs < busyMs; atMs += chance.between(everyMs / 4, everyMs * 2)) {
      faults.push(fault(chance, atMs, messages));
    }
  }
  return faults.sort((one, other) => one.atMs - other.atMs);
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** Some programs repeat a request much later, and some messages are scheduled beyond the validity of others. */
function withLateOnes(seed: number, messages: readonly PlannedMessage[]): PlannedMessage[] {
  const chance = new Chance(seed, "late");
  // A day costs five times what everything else does.
  const latest = chance.happens(0.07) ? dayMs : chance.oneOf([0, hourMs]);
  const longer = [hourMs, dayMs].filter((ms) => ms <= latest).map((ms) => ms + 60_000);
  const waits = [65_000, ...longer] as const;
  // Drop-in protocols remember for a day, and the clock may be two hours wrong.
  const waitOf = (kind: MessageKind) =>
    Math.min(chance.oneOf(waits), isDropInKind(kind) ? dayMs - 2 * hourMs - 60_000 : dayMs + 60_000);
  return messages.map((message) => ({
    ...message,
    ...(chance.happens(0.08) && { repeatAfterMs: waitOf(message.kind) }),
    ...(message.kind === "scheduled" && latest > 0 && chance.happens(0.4) && { delayMs: lateScheduleMs }),
  }));
}

/** Most challenges are tried again, and some more messages are such challenges. */
function withSteps(seed: number, messages: readonly PlannedMessage[]): PlannedMessage[] {
  const chance = new Chance(seed, "steps");
  return messages.map((message) => {
    const isTriedAgain = chance.happens(message.kind === "challenge" ? 0.7 : 0.1);
    const isOne = message.kind === "challenge" || message.kind === "single";
    return isOne && isTriedAgain ? { ...message, kind: "challenge by steps" } : message;
  });
}

/** Some programs send a request twice at once. */
function withDoubles(seed: number, messages: readonly PlannedMessage[]): PlannedMessage[] {
  const chance = new Chance(seed, "doubles");
  return messages.map((message) => ({ ...message, doubles: chance.happens(0.1) }));
}

const othersMax = 3;
/** Above all numbers of the first customer's messages. */
export const firstOther = 1_000;

function othersOf(seed: number, busyMs: number): PlannedMessage[] {
  const chance = new Chance(seed, "others");
  return Array.from({ length: chance.between(0, othersMax) }, (_, number) => ({
    number: firstOther + number,
    atMs: chance.between(0, busyMs),
    carrier: "http",
    kind: "single",
    group: null,
    size: 1,
    delayMs: 0,
    repeatAfterMs: chance.happens(0.3) ? chance.between(0, 3_000) : null,
    doubles: false,
    crosses: false,
    cancelAfterMs: null,
  }));
}

function textsOf(seed: number, busyMs: number): PlannedText[] {
  const chance = new Chance(seed, "texts");
  const asking = new Chance(seed, "asking texts");
  const count = chance.happens(0.5) ? chance.between(1, 12) : 0;
  return Array.from({ length: count }, (_, number) => ({
    number,
    atMs: chance.between(0, busyMs),
    parts: chance.oneOf([1, 1, 2, 3]),
    asks: asking.happens(0.7),
  }));
}

export function drawPlan(seed: number, messageCount = 50): Plan {
  const tempers = new Chance(seed, "tempers");
  const sending = new Chance(seed, "messages");
  const busyMs = messageCount * sending.oneOf([100, 400, 600, 600]);
  return {
    seed,
    busyMs,
    carriers: { smpp: temperOf(tempers), http: temperOf(tempers) },
    receiver: receiverOf(tempers),
    lookup: lookupOf(new Chance(seed, "look-ups"), new Chance(seed, "terms of look-ups")),
    routes: { smpp: routeOf(tempers), http: routeOf(tempers) },
    messages: withDoubles(
      seed,
      withSteps(
        seed,
        withLateOnes(
          seed,
          Array.from({ length: messageCount }, (_, number) => messageOf(sending, number, busyMs)),
        ),
      ),
    ),
    others: othersOf(seed, busyMs),
    texts: textsOf(seed, busyMs),
    faults: faultsOf(seed, busyMs, messageCount),
  };
}
