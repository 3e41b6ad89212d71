/** Devices that speak only mail send messages: signed in, to numbers at our domain, once each. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import pino from "pino";
import { selfSigned } from "../support/certificates.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { SmtpDialogue } from "../support/smtp-dialogue.ts";

const password = "password-of-ups";
const devices = [
  { kind: "smtp", name: "ups", password, sender: "30001234" },
  { kind: "smtp", name: "camera", password, sender: "30001234", mailText: "Camera: {{text}}", parts: 1 },
] as const;
const to = "09121234500@sms.example.com";
const folder = mkdtempSync(join(tmpdir(), "peyk-mail-"));
const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
const tlsEnv = { PEYK_TLS_CERT_FILE: certFile, PEYK_TLS_KEY_FILE: keyFile };
const plainEnv = {
  PEYK_SMTP_SERVER_LISTEN: "127.0.0.1:0",
  PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
  PEYK_SMTP_SERVER_PLAIN_FROM: "127.0.0.1",
};

let server: DropInServer;
const lines: string[] = [];
const log = pino({}, { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  const { cert, key } = selfSigned("sms.example.com");
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const more = { PEYK_SMTP_SERVER_TLS_LISTEN: "127.0.0.1:0", ...tlsEnv };
  server = await DropInServer.start(devices, { ...plainEnv, ...more }, { log });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

let known = 0;
beforeEach(() => {
  known = server.messages().length;
});
const added = () => server.messages().slice(known);
const texts = () => added().map(({ text }) => text);

async function signedIn(name = "ups", at = server): Promise<SmtpDialogue> {
  const dialogue = await SmtpDialogue.open(at.running.smtpPorts.smtpPort ?? 0);
  await dialogue.say("EHLO ups");
  expect(await dialogue.signIn(name, password)).toBe("235 Authentication successful");
  return dialogue;
}

const mailOf = (header: Record<string, string>, body: string) =>
  `${Object.entries(header)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}`;

test("a mail becomes a message, and is answered with its tracking code once it is on disk", async () => {
  const dialogue = await signedIn();
  const reply = await dialogue.send([to], mailOf({ Subject: "UPS 3" }, "On battery.\r\n..ok\r\n"));
  const [message] = added();
  expect(message).toMatchObject({ recipient: "+989121234500", sender: "30001234", text: "UPS 3: On battery.\n.ok" });
  expect(reply).toBe(`250 2.0.0 On disk: ${message?.trackingCode}`);
  expect(await dialogue.say("QUIT")).toStartWith("221");
});

test("nodemailer sends by STARTTLS and over TLS", async () => {
  const { smtpPort, smtpTlsPort } = server.running.smtpPorts;
  for (const [port, secure] of [
    [smtpPort, false],
    [smtpTlsPort, true],
  ] as const) {
    const transport = createTransport({
      host: "127.0.0.1",
      port: port ?? 0,
      secure,
      requireTLS: !secure,
      auth: { user: "ups", pass: password },
      tls: { rejectUnauthorized: false },
    });
    const { response } = await transport.sendMail({
      from: "pbx@example.com",
      to,
      subject: "پیام صوتی",
      text: `از ۰۲۱ ${port}`,
      html: "<b>HTML</b>",
      attachments: [{ filename: "voice.wav", content: Buffer.alloc(400_000, 7) }],
    });
    expect(response).toStartWith("250 2.0.0 On disk:");
    transport.close();
  }
  expect(texts()).toEqual([`پیام صوتی: از ۰۲۱ ${smtpPort}`, `پیام صوتی: از ۰۲۱ ${smtpTlsPort}`]);
  const told = lines.filter((line) => line.includes("attachments of a mail were dropped"));
  expect(told.map((line): unknown => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ credential: 1, attachmentCount: 2, octets: expect.any(Number) }),
  );
  expect(told.join("")).not.toContain("voice");
});

test("what an account may not do is refused by an enhanced code with the reason in words", async () => {
  const dialogue = await signedIn();
  expect(await dialogue.say("MAIL FROM:<>")).toBe("550 5.7.1 A bounce (empty sender) is not sent as a message.");
  expect(await dialogue.say("MAIL FROM:<user.@ilo>")).toStartWith("250");
  expect(await dialogue.say("RCPT TO:<somebody@sms.example.com>")).toBe("553 5.1.3 A recipient is no mobile number.");
  expect(await dialogue.say("RCPT TO:<02188776655@sms.example.com>")).toStartWith("553 5.1.3");
  expect(await dialogue.say("RCPT TO:<09121234500@example.org>")).toBe(
    "550 5.7.1 Nothing is relayed: only mail to NUMBER@sms.example.com is taken.",
  );
  for (let last = 0; last < 50; last += 1) {
    const recipient = `0912123${String(1000 + last)}@sms.example.com`;
    expect(await dialogue.say(`RCPT TO:<${recipient}>`)).toBe("250 Accepted");
  }
  expect(await dialogue.say(`RCPT TO:<${to}>`)).toBe("452 4.5.3 A mail may have at most 50 recipients.");
  await dialogue.say("RSET");
  expect(await dialogue.send([to], mailOf({ Subject: "" }, "<b></b>".slice(7)))).toStartWith(
    "554 5.6.0 The text is empty",
  );
  await server.operate("POST", `/accounts/${server.accountId}/suspend`);
  expect(await dialogue.begin([to])).toBe("550 5.7.1 The account is suspended.");
  await server.operate("POST", `/accounts/${server.accountId}/resume`);
  const { kinds } = await server.operate<{ kinds: { way: string; reason: string }[] }>(
    "GET",
    `/accounts/${server.accountId}/errors`,
  );
  const ofMail = kinds.filter(({ way }) => way === "smtp").map(({ reason }) => reason);
  expect(ofMail).toEqual(expect.arrayContaining(["recipient", "text", "suspended", "not_possible"]));
  expect(added()).toEqual([]);
});

describe("a repeat", () => {
  test("of the same Message-ID and recipient sends nothing again; other recipients get it", async () => {
    const dialogue = await signedIn();
    const mail = mailOf({ Subject: "Door", "Message-ID": "<door-1@camera>" }, "opened");
    await dialogue.send([to, "+989121234511@sms.example.com"], mail);
    expect(await dialogue.send([to], mail)).toBe("250 2.0.0 It was sent before.");
    await dialogue.send([to, "09121234522@SMS.example.COM"], mail);
    expect(added().map(({ recipient }) => recipient)).toEqual(["+989121234500", "+989121234511", "+989121234522"]);
    await (await signedIn("camera")).send([to], mail);
    expect(added()).toHaveLength(4);
  });

  test("at the same moment sends it once", async () => {
    const dialogues = await Promise.all(Array.from({ length: 8 }, () => signedIn()));
    const mail = mailOf({ Subject: "Fire", "Message-ID": "<fire@panel>" }, "hall");
    const replies = await Promise.all(dialogues.map((one) => one.send([to], mail)));
    expect(replies.filter((reply) => reply.startsWith("250 2.0.0 On disk"))).toHaveLength(1);
    expect(replies.every((reply) => reply.startsWith("250 2.0.0"))).toBe(true);
    expect(added()).toHaveLength(1);
    for (const one of dialogues) one.cut();
  });

  test("cannot be known without a Message-ID", async () => {
    const dialogue = await signedIn();
    for (let time = 0; time < 2; time += 1) await dialogue.send([to], mailOf({ Subject: "Same" }, "words"));
    expect(texts()).toEqual(["Same: words", "Same: words"]);
  });
});

test("a recipient twice in one mail gets one message", async () => {
  await (await signedIn()).send([to, "+989121234500@sms.example.com"], mailOf({ Subject: "Once" }, "x"));
  expect(texts()).toEqual(["Once: x"]);
});

describe("of a mail", () => {
  test("quoted replies, the signature, HTML and further parts are left out, and a credential's template is filled", async () => {
    const parts = [
      "text/plain\r\n\r\nMotion at gate 2\r\n\r\nOn Monday, A wrote:\r\n> old\r\n-- \r\nAcme",
      "text/html\r\n\r\n<p>no</p>",
    ];
    const further = "text/plain; name=log.txt\r\n\r\nlong log";
    const body = [...parts, further].map((part) => `--b\r\nContent-Type: ${part}\r\n`).join("");
    const header = { Subject: "Alarm", "Content-Type": "multipart/mixed; boundary=b" };
    await (await signedIn("camera")).send([to], mailOf(header, `${body}--b--`));
    expect(texts()).toEqual(["Camera: Motion at gate 2"]);
  });

  test("lines of the text that look like a header are words, and an attachment or an unnamed part is no text", async () => {
    const dialogue = await signedIn();
    const answer = "HTTP/1.1 500\r\nContent-Type: text/html; charset=klingon";
    await dialogue.send([to], mailOf({ Subject: "Down" }, answer));
    const parts = [
      "Content-Type: text/plain; name=log.txt\r\nContent-Disposition: attachment\r\n\r\nlong log",
      "\r\nGate 2",
      "\r\nfurther",
      "Content-Type: text/html\r\n\r\n<p>no</p>",
    ];
    const header = { Subject: "Log", "Content-Type": 'multipart/mixed;\r\n boundary="b b"' };
    await dialogue.send([to], mailOf(header, `${parts.map((part) => `--b b\r\n${part}\r\n`).join("")}--b b--`));
    expect(texts()).toEqual([`Down: ${answer.replace("\r", "")}`, "Log: Gate 2"]);
  });

  test("a text that is too long is cut at a word to the parts that its credential may send", async () => {
    await (await signedIn("camera")).send([to], mailOf({ Subject: "x" }, "some words ".repeat(40)));
    const [message] = added();
    expect(message?.partCount).toBe(1);
    expect(message?.text).toMatch(/^Camera: some words .*\b(?:some|words)\.\.\.$/);
    expect(message?.text.length).toBeGreaterThan(145);
  });

  test("old charsets are read, and what is no text in its charset is refused", async () => {
    const dialogue = await signedIn();
    const header = "Subject: =?windows-1256?B?0+HH4w==?=\r\nContent-Type: text/plain; charset=windows-1256\r\n\r\n";
    await dialogue.send([to], Buffer.concat([Buffer.from(header), Buffer.from([0xd3, 0xe1, 0xc7, 0xe3])]));
    expect(texts()).toEqual(["سلام: سلام"]);
    for (const [mail, reply] of [
      [
        Buffer.from("Subject: caf\xe9\r\n\r\nx", "latin1"),
        "554 5.6.0 Its header or text holds octets that are no characters",
      ],
      [
        Buffer.from("Content-Type: text/plain; charset=klingon\r\n\r\nx"),
        "554 5.6.0 The charset of its text is unknown.",
      ],
      [Buffer.from("Subject: =?klingon?B?0+HH4w==?=\r\n\r\nx"), "554 5.6.0 The charset of its text is unknown."],
    ] as const)
      expect(await dialogue.send([to], mail)).toStartWith(reply);
    await dialogue.send([to], mailOf({ Subject: "بدون کد" }, "x"));
    expect(texts().at(-1)).toBe("بدون کد: x");
  });

  test("10 MB are read past, and more is refused", async () => {
    const dialogue = await signedIn();
    const picture = `${"A".repeat(76)}\r\n`.repeat(130_000);
    const head = "Subject: Yard\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nmotion\r\n";
    const mail = `${head}--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n${picture}--b--`;
    expect(await dialogue.send([to], mail)).toStartWith("250 2.0.0");
    expect(await dialogue.send([to], mail + picture)).toBe("552 5.3.4 A mail may have at most 10 MB.");
    expect(await dialogue.say("MAIL FROM:<a@b.c> SIZE=20000000")).toStartWith("552");
    expect(texts()).toEqual(["Yard: motion"]);
  });

  test("loops, reports and endless nesting are refused in words", async () => {
    const dialogue = await signedIn();
    const refused = {
      "554 5.4.6 An automatic reply": { "Auto-Submitted": "auto-replied (vacation)" },
      "554 5.4.6 A report about a mail": {
        "Content-Type": "multipart/report; report-type=delivery-status; boundary=b",
      },
      "554 5.4.6 A mail of this service itself": { "Message-ID": "<0192@peyk>" },
      "554 5.6.0 It has too many parts.": { "Content-Type": "multipart/mixed; boundary=b" },
    };
    for (const [reply, header] of Object.entries(refused)) {
      const body = "--b\r\n".repeat(reply.startsWith("554 5.6.0") ? 300 : 2);
      expect(await dialogue.send([to], mailOf({ Subject: "s", ...header }, body))).toStartWith(reply);
    }
    const hops = "Received: from a by b\r\n".repeat(31);
    expect(await dialogue.send([to], `${hops}Subject: s\r\n\r\nx`)).toStartWith("554 5.4.6 It passed too many servers");
    expect(await dialogue.send([to], mailOf({ "Auto-Submitted": "auto-generated" }, "disk full"))).toStartWith("250");
    expect(texts()).toEqual(["disk full"]);
  });
});

describe("hostile octets", () => {
  test("no line end but CR LF ends a mail, and a mail with another is refused", async () => {
    for (const end of ["\n.\n", "\r\n.\n", "\n.\r\n", "\r.\r", "\r\n.\r"]) {
      const dialogue = await signedIn();
      expect(await dialogue.begin([to])).toStartWith("354");
      dialogue.write(
        `Subject: a\r\n\r\nx${end}MAIL FROM:<b@c>\r\nRCPT TO:<09121234599@sms.example.com>\r\nDATA\r\nsmuggled`,
      );
      expect(await dialogue.say("\r\n.")).toStartWith("554 5.6.11");
      expect(await dialogue.say("NOOP")).toBe("250 OK");
      dialogue.cut();
    }
    expect(added()).toEqual([]);
  });

  test("what was sent in plain after STARTTLS is forgotten", async () => {
    const dialogue = await SmtpDialogue.open(server.running.smtpPorts.smtpPort ?? 0);
    await dialogue.say("EHLO a");
    dialogue.write("STARTTLS\r\nNOOP\r\nEHLO injected\r\n");
    expect(await dialogue.reply()).toStartWith("220");
    await dialogue.startTls();
    expect(await dialogue.say("MAIL FROM:<a@b>")).toStartWith("503 Error: send HELO/EHLO first");
    dialogue.cut();
  });

  test("a mail cut off before its end sends nothing", async () => {
    const dialogue = await signedIn();
    await dialogue.begin([to]);
    dialogue.write("Subject: half\r\n\r\nof it\r\n.\r");
    dialogue.cut();
    await (await signedIn()).send([to], mailOf({ Subject: "whole" }, ""));
    expect(texts()).toEqual(["whole"]);
  });

  test("commands that send nothing end the connection after a while", async () => {
    const dialogue = await signedIn();
    for (let time = 0; time < 12; time += 1) dialogue.write("NOOP\r\n".repeat(1_000));
    let last = "";
    for (let reply = await dialogue.reply(); reply !== ""; reply = await dialogue.reply()) last = reply;
    expect(last).toStartWith("421 4.7.0");
  });
});

test("who is not signed in says little, and gives way to others", async () => {
  const other = await DropInServer.start(devices, { ...plainEnv, PEYK_SMTP_SERVER_CONNECTIONS: "2" });
  const port = other.running.smtpPorts.smtpPort ?? 0;
  const talker = await SmtpDialogue.open(port);
  talker.write("a".repeat(5_000));
  expect(await talker.reply()).toBe("");
  const device = await SmtpDialogue.open(port);
  await device.say("EHLO ups");
  await device.signIn("ups", password);
  const strangers: SmtpDialogue[] = [];
  for (let one = 0; one < 3; one += 1) strangers.push(await SmtpDialogue.open(port));
  expect(await Promise.all(strangers.slice(0, 2).map((one) => one.reply()))).toEqual(["", ""]);
  expect(await device.say("NOOP")).toBe("250 OK");
  device.cut();
  strangers[2]?.cut();
  await other.stop();
});

test("an account has so many connections, and no more", async () => {
  const other = await DropInServer.start(devices, plainEnv);
  const dialogues = await Promise.all(Array.from({ length: 20 }, () => signedIn("ups", other)));
  const one = await SmtpDialogue.open(other.running.smtpPorts.smtpPort ?? 0);
  await one.say("EHLO ups");
  expect(await one.signIn("camera", password)).toBe("421 4.7.0 The account has too many connections.");
  for (const dialogue of dialogues) dialogue.cut();
  await other.stop();
});

test("without a certificate nobody is offered TLS, and only listed networks may sign in", async () => {
  for (const [plainFrom, offersAuth] of [
    ["127.0.0.1", true],
    ["192.0.2.0/24", false],
  ] as const) {
    const other = await DropInServer.start(devices, { ...plainEnv, PEYK_SMTP_SERVER_PLAIN_FROM: plainFrom });
    const dialogue = await SmtpDialogue.open(other.running.smtpPorts.smtpPort ?? 0);
    const offered = await dialogue.say("EHLO a");
    expect(offered).not.toContain("STARTTLS");
    expect(offered.includes("AUTH")).toBe(offersAuth);
    expect(await dialogue.say("STARTTLS")).toStartWith("500");
    if (!offersAuth) {
      expect(await dialogue.signIn("ups", password)).toStartWith("500");
      expect(await dialogue.say("MAIL FROM:<a@b.c>")).toBe("530 5.7.0 Sign in first, over TLS.");
    }
    dialogue.cut();
    await other.stop();
  }
});

test("with a certificate, a network that is not listed signs in only once TLS has begun", async () => {
  const other = await DropInServer.start(devices, { ...plainEnv, ...tlsEnv, PEYK_SMTP_SERVER_PLAIN_FROM: "" });
  const dialogue = await SmtpDialogue.open(other.running.smtpPorts.smtpPort ?? 0);
  expect(await dialogue.say("EHLO a")).not.toContain("AUTH");
  expect(await dialogue.signIn("ups", password)).toStartWith("500");
  expect(await dialogue.say("STARTTLS")).toStartWith("220");
  await dialogue.startTls();
  expect(await dialogue.say("EHLO a")).toContain("AUTH LOGIN PLAIN");
  expect(await dialogue.signIn("ups", "wrong")).toBe("535 5.7.8 Name or password is wrong.");
  expect(await dialogue.signIn("ups", password)).toStartWith("235");
  dialogue.cut();
  await other.stop();
});
