/** What the second build added: prices, balances, quotas, console users, texts sent by a person, and pending codes. */
import { expect, test } from "bun:test";
import { codeIn, type Installation, linesOf, sender, textField } from "./installation.ts";

type Json = Record<string, unknown>;

export interface LaterData {
  /** As printed by the commands in JSON. */
  balance: Json;
  ledger: Json[];
  quotas: Json[];
  owner: { name: string; password: string };
  /** The path of a setup link that nobody has opened. */
  invitation: string;
  /** A challenge whose sealed text is waiting. */
  sealed: { id: string; recipient: string };
  /** The command with which a person sent, and the tracking code that it printed. */
  person: { words: string; code: string };
}

/** Before anything is sent. */
export interface PreparedLater {
  owner: LaterData["owner"];
  invitation: string;
}

const account = "acc_1";
const price = 10;
const password = "two rivers meet below the old bridge";
/** For a top-up: repeated, it enters nothing. */
const topUp = `account topup ${account} --amount 100000 --note "first invoice" --reference invoice-1 --json`;
const sealedRecipient = "+989123333333";

const setupPath = (printed: string): string => JSON.parse(printed).setup.path;

export async function prepareLaterData(service: Installation): Promise<PreparedLater> {
  await service.peyk(`price set retail --prefix '*' --price ${price}`);
  await service.peyk("price set retail --prefix 98935 --price 7 --from 2036-01-01");
  await service.peyk("price set costs --prefix 98 --price 4");
  await service.peyk(`price assign retail --account ${account} --billing prepaid`);
  await service.peyk("price assign costs --route carrier");
  await service.peyk(topUp);
  await service.peyk(`account correct ${account} --amount=-50 --note "entered twice"`);
  await service.peyk(`quota set ${account} --day 1000 --month 5000`);
  await service.peyk("quota set key_1 --day 500");
  const path = setupPath(await service.peyk("user setup-link --json"));
  expect(await service.form(path, { password, again: password })).toMatchObject({ status: 303 });
  const invitation = setupPath(await service.peyk("user add mina --role operator --json"));
  const [owner] = JSON.parse(await service.peyk("user list --json"));
  return { owner: { name: textField(owner, "name"), password }, invitation };
}

interface Leaving {
  files: string;
  send(path: string, body: Json): Promise<unknown>;
  prepared: PreparedLater;
}

/** While the route is disabled. */
export async function leaveLaterData(service: Installation, { files, send, prepared }: Leaving) {
  const challenge = await send("/v1/otp/challenges", {
    sender,
    recipient: sealedRecipient,
    codeLength: 6,
    ttlSeconds: 900,
  });
  await send("/v1/otp/codes", { sender, recipient: "+989124444444", code: "4321AB" });
  const message = `--account ${account} --sender ${sender} --message "waits for a person" --file ${files}/numbers.txt`;
  const words = `message send ${message} --key person-1 --json`;
  const data: LaterData = {
    ...prepared,
    sealed: { id: textField(challenge, "challengeId"), recipient: sealedRecipient },
    person: { words, code: JSON.parse(await service.peyk(words)).firstTrackingCode },
    ...(await moneyOf(service)),
  };
  return { data, waitingTexts: ["Code ######", "Code 4321AB", "waits for a person", "waits for a person"] };
}

async function moneyOf(service: Installation): Promise<Pick<LaterData, "balance" | "ledger" | "quotas">> {
  const json = async (words: string) => JSON.parse(await service.peyk(`${words} --json`));
  const { lines } = await json(`account ledger ${account} --limit 500`);
  return { balance: await json(`account balance ${account}`), ledger: lines, quotas: await json("quota show") };
}

const withoutTimes = (lines: readonly Json[]) =>
  lines.map(({ at: _, bookedAt: __, startsAt: ___, resetsAt: ____, ...rest }) => rest);

/** Before any waiting message is sent. */
async function assertMoney(service: Installation, { balance, ledger, quotas }: LaterData): Promise<void> {
  const now = await moneyOf(service);
  expect(now.balance).toEqual(balance);
  expect(balance).toMatchObject({ currency: "USD", billing: "prepaid" });
  expect(withoutTimes(now.ledger)).toEqual(withoutTimes(ledger));
  for (const { at, bookedAt } of now.ledger) expect(bookedAt).toEqual(at);
  expect(withoutTimes(now.quotas)).toEqual(withoutTimes(quotas));
  expect(JSON.parse(await service.peyk(topUp))).toMatchObject({ duplicate: true });
}

/** `files` holds settings with another currency. */
async function assertCurrencyIsKept(service: Installation, files: string): Promise<void> {
  const said = await service.peyk(`config check --config ${files}/other.toml 2>&1 || true`);
  expect(said).toContain("but the amounts in this database are in USD");
}

/** Once all waiting messages are sent: reserved amounts are charged, and the next message is reserved and counted. */
async function assertMoneyGoesOn(service: Installation, apiKey: string, data: LaterData): Promise<void> {
  const { settled, reserved } = data.balance;
  expect(Number(reserved)).toBeGreaterThan(0);
  const before = await moneyOf(service);
  expect(before.balance).toMatchObject({ settled: Number(settled) - Number(reserved), reserved: 0 });
  const months = new Set(data.ledger.concat(before.ledger).map(({ at }) => String(at).slice(0, 7)));
  let charged = 0;
  for (const month of months) {
    const words = `report statement --account ${account} --month ${month} --json`;
    charged += JSON.parse(await service.peyk(words)).charged.price;
  }
  const captured = before.ledger.reduce((sum, line) => sum + Number(line.captured), 0);
  expect(charged).toBe(captured);
  await service.peyk("route disable carrier");
  const body = { sender, recipient: "+989121234567", message: "after the upgrade" };
  const sent = await service.request("/v1/messages", { method: "POST", apiKey, idempotencyKey: "after", body });
  expect(sent).toMatchObject({ status: 202, body: { duplicate: false } });
  const after = await moneyOf(service);
  expect(after.balance).toMatchObject({ reserved: price });
  expect(after.quotas.map(({ partsUsed }) => partsUsed)).toEqual(
    before.quotas.map(({ partsUsed }) => Number(partsUsed) + 1),
  );
  await service.peyk("route enable carrier");
}

/** An existing password still works, and so does a link that nobody had opened. */
async function assertUsers(service: Installation, { owner, invitation }: LaterData): Promise<void> {
  const signIn = { user: owner.name, password: owner.password, to: "/" };
  expect(await service.form("/sign-in", signIn)).toEqual({ status: 303, location: "/" });
  expect(await service.form("/sign-in", { ...signIn, password: "another" })).toMatchObject({ status: 422 });
  expect(await service.form(invitation, { password, again: password })).toEqual({ status: 303, location: "/" });
  expect(await service.form("/sign-in", { ...signIn, user: "mina" })).toEqual({ status: 303, location: "/" });
}

/** Once sent, the text that waited sealed contains the code of its challenge. */
async function assertSealedCode(service: Installation, apiKey: string, { sealed }: LaterData): Promise<void> {
  const sent = linesOf<{ to: string; text: string }>(await service.log("carrier.log"));
  const digits = sealed.recipient.slice(1);
  const code = codeIn(sent.filter(({ to }) => to === digits).map(({ text }) => text));
  const body = { code };
  const verified = await service.request(`/v1/otp/challenges/${sealed.id}/verify`, { method: "POST", apiKey, body });
  expect(verified).toMatchObject({ status: 200, body: { status: "verified" } });
}

/** Repeated with its key, it sends nothing. */
async function assertPersonReplays(service: Installation, { person: { words, code } }: LaterData): Promise<void> {
  expect(JSON.parse(await service.peyk(words))).toEqual({ messages: 2, firstTrackingCode: code, duplicate: true });
}

interface LeftData {
  service: Installation;
  files: string;
  data: { apiKey: string; later?: LaterData };
}

type Check = (left: LeftData, later: LaterData) => Promise<void>;

const before: Readonly<Record<string, Check>> = {
  "keep money and quotas as they were": ({ service }, later) => assertMoney(service, later),
  "fix the currency from now on": ({ service, files }) => assertCurrencyIsKept(service, files),
  "let users sign in and follow their links": ({ service }, later) => assertUsers(service, later),
};

const once: Readonly<Record<string, Check>> = {
  "verify a code that waited sealed": ({ service, data: { apiKey } }, later) =>
    assertSealedCode(service, apiKey, later),
  "send an operator's messages once": ({ service }, later) => assertPersonReplays(service, later),
  "continue money and quotas": ({ service, data: { apiKey } }, later) => assertMoneyGoesOn(service, apiKey, later),
};

const tests = (checks: Readonly<Record<string, Check>>) => (left: () => LeftData, timeout?: number) => {
  for (const [title, check] of Object.entries(checks)) {
    test(
      title,
      async () => {
        const there = left();
        if (there.data.later === undefined) throw new Error("That build knew nothing of it");
        await check(there, there.data.later);
      },
      timeout,
    );
  }
};

/** Tests of the data left by builds that have it: before the waiting messages are sent, and afterwards. */
export const laterTests = { beforeSent: tests(before), onceSent: tests(once) };
