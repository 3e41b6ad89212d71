/** The process is killed while mails come in: what was answered is on disk, and repeats with a Message-ID send once. */
import { expect, test } from "bun:test";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { SmtpDialogue } from "../support/smtp-dialogue.ts";
import { temporaryFolder } from "../support/test-server.ts";

const rounds = 2;
const devices = 8;
const password = "password-of-ups";
const env = {
  PEYK_SMTP_SERVER_LISTEN: "127.0.0.1:0",
  PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
  PEYK_SMTP_SERVER_PLAIN_FROM: "127.0.0.1",
};
const recipients = ["09121234500@sms.example.com", "09121234511@sms.example.com"];
const portOf = ({ log }: PeykProcess) => Number(/"smtpPort":(\d+)/.exec(log)?.[1] ?? 0);
const mailOf = (name: string) => `Message-ID: <${name}@ups>\r\nSubject: ${name}\r\n\r\nbattery`;

/** Sends each mail until the process dies; the names of those that were answered with 250. */
async function device(port: number, names: string[], hasLast: boolean): Promise<string[]> {
  const taken: string[] = [];
  const dialogue = await SmtpDialogue.open(port);
  await dialogue.say("EHLO ups");
  await dialogue.signIn("ups", password);
  for (const name of names) if ((await dialogue.send(recipients, mailOf(name))).startsWith("250")) taken.push(name);
  // The last one never ends.
  if (hasLast && (await dialogue.begin(recipients)).startsWith("354")) dialogue.write(mailOf(`half of ${names[0]}`));
  return taken;
}

test("a kill in the middle of mails loses nothing and doubles nothing", async () => {
  const { path: folder, remove } = temporaryFolder();
  const start = () => PeykProcess.start({ folder, env });
  let peyk = await start();
  const { accountId, sender } = await peyk.customer();
  const key = await peyk.operate("POST", "/keys", { account: accountId, name: "devices" });
  await peyk.operate("POST", "/credentials", {
    key: key.id,
    kind: "smtp",
    name: "ups",
    password,
    traffic: "single",
    sender,
  });
  const stored = () => rowsIn<{ count: number }>(folder, "SELECT count(*) AS count FROM message")[0]?.count ?? 0;
  const all: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const names = Array.from({ length: devices }, (_, one) => [1, 2, 3, 4].map((mail) => `r${round} d${one} m${mail}`));
    all.push(...names.flat());
    const before = stored();
    const port = portOf(peyk);
    const sending = Promise.all(names.map((own) => device(port, own, true)));
    await eventually(() => stored() > before);
    await peyk.kill();
    const taken = (await sending).flat();
    const texts = new Set(rowsIn<{ text: string }>(folder, "SELECT text FROM message").map(({ text }) => text));
    expect(taken.filter((name) => !texts.has(`${name}: battery`))).toEqual([]);
    peyk = await start();
    // As a relay does that got no answer; those that were answered, too.
    const again = await Promise.all(names.map((own) => device(portOf(peyk), own, false)));
    expect(again.flat().sort()).toEqual(names.flat().sort());
  }
  await peyk.stop();
  const counts = rowsIn<{ text: string; count: number }>(
    folder,
    "SELECT text, count(*) AS count FROM message GROUP BY text, recipient",
  );
  expect(counts.filter(({ count }) => count !== 1)).toEqual([]);
  expect(counts).toHaveLength(all.length * recipients.length);
  expect(counts.filter(({ text }) => text.includes("half"))).toEqual([]);
  remove();
});
