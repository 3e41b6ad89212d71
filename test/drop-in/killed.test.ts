/** The process is killed between acceptance and answer: nothing accepted is lost, and only requests without a key may be doubled. */
import { expect, test } from "bun:test";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const rounds = 3;
const requestsOfRound = 24;

interface Sent {
  text: string;
  key: string | null;
  /** Answers to all of its attempts; null where there was none. */
  answers: (number | null)[];
}

const dropInUrl = ({ log }: PeykProcess): string => /"dropInUrl":"([^"]+)"/.exec(log)?.[1] ?? "";

async function attempt(base: string, sent: Sent): Promise<void> {
  const fields = {
    username: "shop",
    password: "password-of-shop",
    from: "30001234",
    to: "09121234500",
    text: sent.text,
  };
  const headers: Record<string, string> = sent.key === null ? {} : { "Idempotency-Key": sent.key };
  const answer = await fetch(`${base}/cgi-bin/sendsms?${new URLSearchParams(fields)}`, { headers }).catch(() => null);
  sent.answers.push(answer?.status ?? null);
}

test("a kill before the answer loses nothing; a request with a key exists once, one without may exist twice", async () => {
  const { path: folder, remove } = temporaryFolder();
  const start = () => PeykProcess.start({ folder, env: { PEYK_DROP_IN_LISTEN: "127.0.0.1:0" } });
  let peyk = await start();
  const { accountId } = await peyk.customer();
  const key = await peyk.operate("POST", "/keys", { account: accountId, name: "drop-in" });
  const credential = { key: key.id, kind: "kannel", name: "shop", password: "password-of-shop", traffic: "single" };
  await peyk.operate("POST", "/credentials", credential);
  const all: Sent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sent = Array.from({ length: requestsOfRound }, (_, index): Sent => {
      const text = `round ${round} request ${index}`;
      return { text, key: index % 2 === 0 ? null : text, answers: [] };
    });
    all.push(...sent);
    const base = dropInUrl(peyk);
    const stored = rowsIn<{ count: number }>(folder, "SELECT count(*) AS count FROM message")[0]?.count ?? 0;
    const attempts = Promise.all(sent.map((one) => attempt(base, one)));
    // Some are on disk by now, and their answers on the way.
    await eventually(
      () => (rowsIn<{ count: number }>(folder, "SELECT count(*) AS count FROM message")[0]?.count ?? 0) > stored,
    );
    await peyk.kill();
    await attempts;
    peyk = await start();
    // As clients do that got no answer.
    for (const one of sent) if (one.answers.at(-1) !== 202) await attempt(dropInUrl(peyk), one);
  }
  await peyk.stop();
  const counts = new Map<string, number>();
  for (const { text } of rowsIn<{ text: string }>(folder, "SELECT text FROM message"))
    counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { text, key: named, answers } of all) {
    const count = counts.get(text) ?? 0;
    expect({ text, last: answers.at(-1) }).toEqual({ text, last: 202 });
    const doublesMax = named === null && answers[0] === null ? 2 : 1;
    expect({ text, isThere: count >= 1, isDoubled: count > doublesMax }).toEqual({
      text,
      isThere: true,
      isDoubled: false,
    });
  }
  remove();
}, 180_000);
