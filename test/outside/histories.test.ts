/**
 * porcupine judges what concurrent clients were answered by a service that is killed again and again: whether it could
 * have happened one after the other. Each rig has a control: a history with one answer changed, which must be refused.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { plant } from "../simulation/plant.ts";
import { planted } from "../simulation/planted-defects.ts";
import { plantedForInvariants } from "../simulation/planted-for-invariants.ts";
import { run } from "../support/outside-programs.ts";
import { eventually, PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const perRig = Number(process.env.TEST_OUTSIDE_HISTORIES ?? 200);
const atOnce = 8;
const timeoutMs = 900_000;
const forEver = 2 ** 50;
const wrongCode = "0000000000";

interface Operation {
  client: number;
  call: number;
  return: number;
  do: string;
  amount: number;
  answer: string;
  code: string;
  left: number;
  unknown: boolean;
}

interface History {
  model: Rig;
  from: number;
  operations: Operation[];
}

type Rig = "key" | "cancel" | "verify" | "quota" | "balance" | "sender";
type Asked = Pick<Operation, "do"> & Partial<Operation>;
interface Answer {
  status: number;
  body: Record<string, unknown>;
}

const folder = temporaryFolder();
const sources = join(import.meta.dir, "histories");
const judge = join(folder.path, "judge");
let isBuilt = false;
let peyk: PeykProcess;
let sender = 30_001_000;
let serving = Promise.resolve();
let isOver = false;
let kills = 0;

/** Ends when the service is needed no more. */
async function killAgainAndAgain(): Promise<void> {
  while (!isOver) {
    await Bun.sleep(300 + Math.random() * 1_500);
    const started = Promise.withResolvers<void>();
    serving = started.promise;
    await peyk.kill();
    kills += 1;
    peyk = await PeykProcess.start({ folder: join(folder.path, "data"), env });
    started.resolve();
  }
}

const env = {
  PEYK_OTP_RESEND_SECONDS: "0",
  PEYK_OTP_PER_HOUR: "1000",
  PEYK_OTP_PER_DAY: "10000",
  PEYK_OTP_FRAUD_GUARD: "false",
};
let killing: Promise<void>;

beforeAll(async () => {
  if (Bun.which("go") === null) return;
  const { code, text } = await run(["go", "build", "-o", judge, "."], { cwd: sources, env: { GOFLAGS: "-mod=mod" } });
  isBuilt = code === 0;
  if (!isBuilt) console.log(`skipped  porcupine cannot be built here:\n${text.slice(-500)}`);
  peyk = await PeykProcess.start({ folder: join(folder.path, "data"), env });
  killing = killAgainAndAgain();
}, timeoutMs);
afterAll(async () => {
  isOver = true;
  await killing;
  await peyk?.stop();
  folder.remove();
});

/** Until it is done: what a history begins with is no part of it. */
async function surely<Value>(work: () => Promise<Value>): Promise<Value> {
  for (;;) {
    await serving;
    try {
      return await work();
    } catch {
      await Bun.sleep(20);
    }
  }
}

interface Client {
  accountId: string;
  apiKey: string;
  sender: string;
}

async function customer(): Promise<Client> {
  sender += 1;
  const own = String(sender);
  return surely(() => peyk.customer(own));
}

class Recorder {
  readonly operations: Operation[] = [];
  #clients = 0;

  /** One operation after the other, as one client; after one without an answer it goes on as another. */
  async as(asked: readonly (() => Promise<void>)[]): Promise<void> {
    for (const one of asked) {
      await serving;
      await one();
    }
  }

  async record(asked: Asked, ask: () => Promise<Answer>, read: (answer: Answer) => Partial<Operation>): Promise<void> {
    this.#clients += 1;
    const call = Bun.nanoseconds();
    const base = {
      client: this.#clients,
      call,
      return: forEver,
      amount: 1,
      answer: "",
      code: "",
      left: 0,
      unknown: true,
    };
    try {
      const answer = await ask();
      const known = answer.status !== 503 && { unknown: false, return: Bun.nanoseconds(), ...read(answer) };
      this.operations.push({ ...base, ...asked, ...known });
    } catch {
      this.operations.push({ ...base, ...asked });
    }
  }
}

let recipients = 0;
const nextRecipient = () => {
  recipients += 1;
  return `+98${9_120_000_000 + recipients * 100}`;
};

async function asks(client: Client, method: string, path: string, body?: object, key?: string): Promise<Answer> {
  const answer = await peyk.request(client, path, {
    method,
    headers: { "content-type": "application/json", "idempotency-key": key ?? crypto.randomUUID() },
    ...(body && { body: JSON.stringify(body) }),
  });
  const read: unknown = await answer.json();
  return { status: answer.status, body: typeof read === "object" && read !== null ? { ...read } : {} };
}

const sends = (client: Client, parts = 1, key?: string) =>
  asks(
    client,
    "POST",
    "/v1/messages",
    { sender: client.sender, recipient: nextRecipient(), message: "x".repeat(parts === 1 ? 10 : 150 * parts) },
    key,
  );
const isAccepted = ({ status }: Answer) => ({ answer: status === 202 ? "202" : "refused" });
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const drawn = (most: number) => 1 + Math.floor(Math.random() * most);

const rigs: Record<Rig, (recorder: Recorder, client: Client) => Promise<number>> = {
  async key(recorder, client) {
    const key = crypto.randomUUID();
    const body = { sender: client.sender, recipient: nextRecipient(), message: "once" };
    const send = () =>
      recorder.record(
        { do: "send" },
        () => asks(client, "POST", "/v1/messages", body, key),
        ({ status, body }) => ({
          answer: String(status),
          code: String(body.trackingCode),
        }),
      );
    await Promise.all(times(6, () => recorder.as([send, send])));
    return 0;
  },
  async cancel(recorder, client) {
    const { body } = await surely(() => sends(client));
    const path = `/v1/messages/${body.trackingCode}`;
    const cancel = () =>
      recorder.record(
        { do: "cancel" },
        () => asks(client, "POST", `${path}/cancel`),
        ({ status }) => ({ answer: String(status) }),
      );
    const look = () =>
      recorder.record(
        { do: "look" },
        () => asks(client, "GET", path),
        ({ body }) => ({ answer: String(body.status) }),
      );
    await Promise.all([
      recorder.as([cancel, look, cancel]),
      recorder.as([look, look, look]),
      recorder.as([look, cancel]),
    ]);
    return 0;
  },
  async verify(recorder, client) {
    const recipient = nextRecipient();
    const asked = { sender: client.sender, recipient, codeLength: 9 };
    const { body } = await surely(() => asks(client, "POST", "/v1/otp/challenges", asked));
    const path = `/v1/otp/challenges/${body.challengeId}/verify`;
    const guess = (what: "right" | "wrong", code: string) => () =>
      recorder.record(
        { do: what },
        () => asks(client, "POST", path, { code }),
        ({ status, body }) => ({
          answer: String(status === 200 ? body.status : body.code),
          left: Number(body.attemptsRemaining ?? 0),
        }),
      );
    const wrong = guess("wrong", wrongCode);
    const right = await rightCode(recipient);
    const ways = times(4, () => [wrong, wrong]);
    if (right !== null && Math.random() < 0.5) ways.push([wrong, guess("right", right)]);
    await Promise.all(ways.map((one) => recorder.as(one)));
    return 0;
  },
  async quota(recorder, client) {
    const limit = drawn(8);
    await surely(() => peyk.operate("PUT", `/quotas/${client.accountId}`, { month: limit }));
    await Promise.all(times(5, () => recorder.as(times(2, () => accepts(recorder, client, drawn(3))))));
    return limit;
  },
  async balance(recorder, client) {
    const list = `list-${client.sender}`;
    const paid = drawn(8);
    await surely(() => peyk.operate("POST", `/prices/${list}`, { prefix: "*", price: "1" }));
    await surely(() => peyk.operate("PUT", `/accounts/${client.accountId}/billing`, { list, mode: "prepaid" }));
    const pays = (amount: number, reference: string) =>
      peyk.operate("POST", `/accounts/${client.accountId}/topup`, { amount, reference });
    await surely(() => pays(paid, "first"));
    const amount = drawn(3);
    const adds = () =>
      recorder.record(
        { do: "add", amount },
        async () => ({ status: 200, body: await pays(amount, "more") }),
        () => ({}),
      );
    const clients = times(5, () => recorder.as(times(2, () => accepts(recorder, client, drawn(3)))));
    await Promise.all([...clients, recorder.as([adds])]);
    return paid;
  },
  async sender(recorder, client) {
    const switches = (to: "on" | "off") => () =>
      recorder.record(
        { do: to },
        async () => {
          const { accountId, sender } = client;
          const body = await peyk.operate("PATCH", `/accounts/${accountId}/senders/${sender}`, { active: to === "on" });
          return { status: 200, body };
        },
        () => ({}),
      );
    const clients = times(4, () => recorder.as(times(3, () => accepts(recorder, client, 1))));
    await Promise.all([...clients, recorder.as([switches("off"), switches("on"), switches("off")])]);
    return 0;
  },
};

function accepts(recorder: Recorder, client: Client, parts: number): () => Promise<void> {
  return () => recorder.record({ do: "send", amount: parts }, () => sends(client, parts), isAccepted);
}

/** From the simulated phone; null if a kill took its memory. */
async function rightCode(recipient: string): Promise<string | null> {
  for (let tries = 0; tries < 20; tries += 1) {
    const texts: unknown = await surely(
      async () => await peyk.operate("GET", `/simulator/inbox?recipient=${encodeURIComponent(recipient)}`),
    );
    const found = /\b(\d{9})\b/.exec(JSON.stringify(texts));
    if (found !== null) return found[1] ?? null;
    await Bun.sleep(20);
  }
  return null;
}

/** One answer is changed into what must never be. */
const controls: Record<Rig, (operations: Operation[]) => Operation[]> = {
  key: (all) => changed(all, ({ answer }) => answer === "200", { answer: "202", code: "of another message" }),
  cancel: (all) => [
    ...all.filter(({ unknown }) => !unknown),
    { ...last(all), do: "cancel", answer: "200" },
    { ...last(all), do: "look", answer: "delivered" },
  ],
  verify: (all) => [...all, ...times(7, (index) => ({ ...last(all, index), do: "wrong", answer: "pending", left: 1 }))],
  quota: (all) => [...all, ...times(9, (index) => ({ ...last(all, index), do: "send", answer: "202" }))],
  balance: (all) => [...all, ...times(12, (index) => ({ ...last(all, index), do: "send", answer: "202" }))],
  sender: (all) => [...all, { ...last(all), do: "off", answer: "" }, { ...last(all, 1), do: "send", answer: "202" }],
};

function changed(
  all: readonly Operation[],
  which: (one: Operation) => boolean,
  change: Partial<Operation>,
): Operation[] {
  const index = all.findIndex((one) => !one.unknown && which(one));
  return all.map((one, at) => (at === index ? { ...one, ...change } : one));
}

/** Long after all others, and answered at once. */
function last(all: readonly Operation[], index = 0): Operation {
  const [one] = all;
  if (one === undefined) throw new Error("The history is empty");
  const call = Bun.nanoseconds() + 1e12 + index * 10;
  return { ...one, client: 1_000 + index, call, return: call + 1, amount: 1, unknown: false };
}

async function recorded(rig: Rig): Promise<History> {
  const recorder = new Recorder();
  const from = await rigs[rig](recorder, await customer());
  return { model: rig, from, operations: recorder.operations };
}

async function verdicts(histories: readonly History[]): Promise<string[]> {
  const input = new Blob([histories.map((one) => `${JSON.stringify(one)}\n`).join("")]);
  const child = Bun.spawn([judge], { stdin: input, stdout: "pipe", stderr: "inherit" });
  return (await new Response(child.stdout).text()).trim().split("\n");
}

for (const rig of ["key", "cancel", "verify", "quota", "balance", "sender"] as const) {
  test(
    `${perRig} histories of "${rig}" under kills could have happened one after the other, and a changed one could not`,
    async () => {
      if (!isBuilt) return;
      const histories: History[] = [];
      let left = perRig;
      const lane = async () => {
        while (left > 0) {
          left -= 1;
          histories.push(await recorded(rig));
        }
      };
      const before = kills;
      await Promise.all(times(atOnce, lane));
      await eventually(() => kills > before);
      const judged = await verdicts(histories);
      const refused = histories.filter((_, index) => judged[index] !== "true");
      expect(refused.slice(0, 1)).toEqual([]);
      const whole = histories.find(({ operations }) => operations.every(({ unknown }) => !unknown));
      if (whole === undefined) throw new Error("Every history has an unanswered request: kill less often");
      expect(await verdicts([{ ...whole, operations: controls[rig](whole.operations) }])).toEqual(["false"]);
      // Not one answer to everything.
      const answers = Map.groupBy(
        histories.flatMap(({ operations }) => operations),
        (one) => one.answer,
      );
      expect(answers.size).toBeGreaterThan(2);
      const unanswered = histories.flatMap(({ operations }) => operations).filter(({ unknown }) => unknown).length;
      console.log(
        `${rig}: ${histories.length} histories, ${kills - before} kills, ${unanswered} requests without an answer`,
      );
    },
    timeoutMs,
  );
}

/** By rig, the guard that a copy of the sources lacks. */
const removedGuards = {
  key: plantedForInvariants["one request"],
  cancel: plantedForInvariants.cancelled,
  quota: planted(
    "the transaction does not look whether a quota has room",
    "src/messaging/quotas/quota-guard.ts",
    "    const calendar = this.#assertRoom(quotas, payer, parts);\n    for",
    "    const calendar = this.#calendarOf(accountId);\n    for",
  ),
} as const;

for (const rig of ["key", "cancel", "quota"] as const) {
  const [defect] = [removedGuards[rig]].flat();
  test(
    `porcupine refuses a history of "${rig}" by a build without a guard: ${defect?.title}`,
    async () => {
      if (!isBuilt || defect === undefined) return;
      // Nobody is killed from here on.
      isOver = true;
      await killing;
      await peyk.stop();
      const { root, remove } = plant(defect);
      try {
        const command = [
          process.execPath,
          `--tsconfig-override=${join(root, "tsconfig.json")}`,
          join(root, "src/main.ts"),
        ];
        peyk = await PeykProcess.start({ folder: join(folder.path, `without-${rig}`), env, command });
        let histories = 0;
        let isFound = false;
        while (!isFound && histories < perRig) {
          const some = await Promise.all(times(atOnce, () => recorded(rig)));
          histories += some.length;
          isFound = (await verdicts(some)).includes("false");
        }
        expect(isFound).toBe(true);
        console.log(`${rig}: found within ${histories} histories`);
      } finally {
        await peyk.stop();
        remove();
      }
    },
    timeoutMs,
  );
}
