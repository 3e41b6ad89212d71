/** Wrong passwords from many addresses are told by credential, and those of one network by network; nobody is locked out. */
import { expect, test } from "bun:test";
import { GuessCounts } from "../../src/messaging/directory/guess-counts.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";

const hourMs = 3_600_000;

function counted() {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  return { clock, lines, guesses: new GuessCounts(clock, { warn: (...line: unknown[]) => void lines.push(line[0]) }) };
}

test("the hundredth wrong password is reported by credential and network, until an hour passes without one", async () => {
  const { clock, lines, guesses } = counted();
  const since = clock.now();
  for (let index = 0; index < 99; index += 1) guesses.count("cred_1 (clinic)", `192.0.2.${index % 50}`);
  expect([guesses.current(), lines]).toEqual([[], []]);
  await clock.advance(hourMs - 1);
  guesses.count("cred_1 (clinic)", "192.0.2.1");
  expect(guesses.current()).toEqual([{ of: "cred_1 (clinic)", isNetwork: false, since, guesses: 100, others: 50 }]);
  expect(lines).toEqual([{ credential: "cred_1 (clinic)", guesses: 100, others: 50 }]);
  await clock.advance(hourMs);
  expect(guesses.current()).toEqual([]);
  for (let index = 0; index < 100; index += 1) guesses.count(index % 2 === 0 ? null : `cred_${index}`, "192.0.2.9");
  expect(guesses.current()).toMatchObject([{ of: "192.0.2.9", isNetwork: true, guesses: 100, others: 50 }]);
});

test("invented names use bounded memory, however many there are", () => {
  const { guesses } = counted();
  for (let index = 0; index < 100; index += 1) guesses.count("cred_1 (clinic)", "192.0.2.1");
  for (let index = 0; index < 30_000; index += 1) guesses.count(null, `2001:db8:${index.toString(16)}`);
  expect(guesses.current()).toMatchObject([{ of: "cred_1 (clinic)" }]);
});

test("status shows wrong passwords, and the right password still works", async () => {
  const server = await CustomerServer.start([{}], {
    PEYK_SMPP_SERVER_FAILED_BINDS_PER_MINUTE: "10",
  });
  try {
    for (let index = 0; index < 100; index += 1) {
      const guesser = await SmppCustomer.connect(server.port);
      await guesser.request("bind_transceiver", bindFields("customer", `w${index}`));
      guesser.close();
    }
    const { conditions } = await server.operate<{ conditions: { code: string; words: string }[] }>("GET", "/status");
    expect(conditions.filter(({ code }) => code === "PasswordsGuessed").map(({ words }) => words)).toEqual([
      expect.stringMatching(/^100 wrong passwords came for cred_1 \(customer\) since \S+, from 1 network$/),
      expect.stringMatching(/^100 wrong passwords came from 127.0.0.1 since \S+, for 1 known credential$/),
    ]);
    expect((await (await server.bound()).submit()).status).toBe(0);
  } finally {
    await server.stop();
  }
});
