/** Mails that a customer may send: none holds the event loop. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mailMessage } from "../../src/domain/mail-text.ts";
import { readMail } from "../../src/drop-in/smtp/mail.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { SmtpDialogue } from "../support/smtp-dialogue.ts";

// A server on a busy machine.
setDefaultTimeout(60_000);

const password = "password-of-ups";
const env = {
  PEYK_SMTP_SERVER_LISTEN: "127.0.0.1:0",
  PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
  PEYK_SMTP_SERVER_PLAIN_FROM: "127.0.0.1",
};
const kept = 256 * 1024;
const filled = (piece: string, octets = kept) => piece.repeat(Math.ceil(octets / piece.length)).slice(0, octets);
const typed = (type: string, piece: string) => `Content-Type: ${type}\r\n\r\n${filled(piece)}`;
const header = (name: string, piece: string) => `${name}: ${filled(piece, 60_000)}\r\n\r\nx`;
const nested = Array.from(
  { length: 14 },
  (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
);

const mails = {
  "parts without end": typed("multipart/mixed; boundary=a", "--a\r\n"),
  "199 parts with headers": typed(
    "multipart/mixed; boundary=a",
    `--a\r\nX: ${"y".repeat(200)}\r\n\r\n${"z".repeat(1_100)}\r\n`,
  ),
  "nested parts": `${nested.join("")}\r\n${filled("-\r\n")}`,
  "deeper parts": filled("Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n"),
  "short lines": typed("text/plain", "\r\n"),
  quotes: typed("text/plain", ">\r\n"),
  flowed: typed("text/plain; format=flowed; delsp=yes", "a \r\n"),
  "one line": typed("text/plain", "a "),
  emoji: typed("text/plain", "\u{1f600}"),
  HTML: typed("text/html", "<a href="),
  base64: `Content-Transfer-Encoding: base64\r\n${typed("text/plain", "QUFB\r\n")}`,
  "quoted-printable": `Content-Transfer-Encoding: quoted-printable\r\n${typed("text/plain", "=")}`,
  "header fields": `${filled("X:\r\n", 60_000)}\r\nx`,
  "content types": filled("Content-Type: text/plain;\r\n charset=\r\n"),
  recipients: header("To", "a:b;"),
  "fields of recipients": `${filled("To: a@b\r\n", 60_000)}\r\nx`,
  boundaries: filled("Content-Type: multipart/mixed; boundary=a\r\n--a\r\n"),
  "encoded words": header("Subject", "=?utf-8?q?a?= "),
  parameters: header("Content-Type", "a*0*=utf-8''%20;"),
};

test("hostile mails are read or refused, and do not block the event loop for 50 ms", async () => {
  const read = (mail: string) => readMail({ kept: Buffer.from(mail), count: mail.length, hasBareLineEnd: false });
  await read("Subject: the parser is loaded\r\n\r\nx");
  for (const [what, mail] of Object.entries(mails)) {
    await expectNoHold(() => read(mail), { what });
    const sent = await read(mail);
    if (!("reply" in sent)) await expectNoHold(async () => mailMessage("{{subject}} {{text}}", sent, 10), { what });
  }
});

test("10 MB of a mail do not, either", async () => {
  const server = await DropInServer.start([{ kind: "smtp", name: "ups", password, sender: "30001234" }], env);
  const dialogue = await SmtpDialogue.open(server.running.smtpPorts.smtpPort ?? 0);
  await dialogue.say("EHLO ups");
  await dialogue.signIn("ups", password);
  for (const line of [`${"A".repeat(76)}\r\n`, "..\r\n"]) {
    const mail = `Subject: x\r\n\r\n${filled(line, line.startsWith(".") ? 1024 * 1024 : 10_000_000)}`;
    await expectNoHold(async () => {
      expect(await dialogue.send(["09121234500@sms.example.com"], mail)).toStartWith("250");
    });
  }
  dialogue.cut();
  await server.stop();
});
