/** Rules mail texts from phones through a real mail server, whatever the text or its sender contains. */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { join } from "node:path";
import { eventually, PeykProcess } from "../support/peyk-process.ts";
import { type ReceivedMail, startSmtpServer } from "../support/smtp-server.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const to = "shop@example.com";

/** Confirmed, as by the link that the portal mails. */
function confirm(folder: string, accountId: number): void {
  using database = new Database(join(folder, "peyk.db"));
  const user = "INSERT INTO console_user (name, role, account_id, created_at) VALUES ('shop', 'customer', ?, 0)";
  database.run(user, [accountId]);
  database.run("INSERT INTO balance_watch (user_id, below, mail) VALUES (last_insert_rowid(), 1, ?)", [to]);
}

const unfolded = ({ data }: ReceivedMail) => data.replace(/\r?\n[ \t]+/g, " ");
const headersOf = (mail: ReceivedMail) => unfolded(mail).split(/\r?\n\r?\n/)[0] ?? "";

function textOf({ data }: ReceivedMail): string {
  const body = data
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join("\n\n");
  if (/^content-transfer-encoding: base64/im.test(data)) return Buffer.from(body, "base64").toString();
  const octets = body
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
  return Buffer.from(octets, "latin1").toString();
}

testWith("aiosmtpd")(
  "a mail server gets each text once, with the phone's number, and no header that a phone wrote",
  async () => {
    const { path: folder, remove } = temporaryFolder();
    const smtp = await startSmtpServer();
    const env = {
      PEYK_ALERTS_SMTP_SERVER: `127.0.0.1:${smtp.port}`,
      PEYK_ALERTS_SMTP_SECURITY: "none",
      PEYK_ALERTS_MAIL_FROM: "peyk@example.com",
      PEYK_ALERTS_MAIL_TO: "ops@example.com",
    };
    const first = await PeykProcess.start({ folder, env });
    const { accountId, sender: line } = await first.customer();
    await first.operate("POST", "/lines", { number: line, account: accountId });
    await first.stop();
    confirm(folder, Number(accountId.replace("acc_", "")));
    const peyk = await PeykProcess.start({ folder, env });
    try {
      await peyk.operate("POST", `/lines/${line}/rules`, { match: "any", mail: to });
      const texts = [
        ["+989121234567", "سلام،\nفردا می‌آیم.\n.\nپایان"],
        ["Bank\r\nBcc: thief@example.com", "hello\r\nBcc: thief@example.com"],
        ["7575", "x".repeat(1_500)],
      ] as const;
      for (const [from, message] of texts) await peyk.operate("POST", "/inbound/simulate", { from, to: line, message });
      // The others are alerts.
      const mails = () => smtp.mails.filter((mail) => mail.to.includes(to));
      await eventually(() => mails().length >= texts.length);
      expect(mails().map((mail) => mail.to)).toEqual(texts.map(() => [to]));
      for (const [index, mail] of mails().entries()) {
        const [from = "", message = ""] = texts[index] ?? [];
        expect(headersOf(mail)).not.toMatch(/^bcc:/im);
        expect(headersOf(mail)).toMatch(/^from: .*peyk@example.com/im);
        const lines = (text: string) => text.split(/\r?\n/);
        expect(lines(textOf(mail)).slice(0, lines(message).length)).toEqual(lines(message));
        expect(textOf(mail)).toContain(lines(from)[0] ?? from);
      }
    } finally {
      await peyk.stop();
      await smtp.stop();
      remove();
    }
  },
  120_000,
);
