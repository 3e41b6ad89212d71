/** Unchanged mail programs send messages by STARTTLS, and show why one was refused. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSigned } from "../support/certificates.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { buildForeignSmscs, missingTools } from "../support/foreign-smsc.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const password = "password-of-ups";
const to = "09121234500@sms.example.com";
const landline = "02188776655@sms.example.com";
const subject = "هشدار";
const text = "برق رفت.";
const { path: folder, remove } = temporaryFolder();
const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];

let server: DropInServer;
beforeAll(async () => {
  const { cert, key } = selfSigned("sms.example.com");
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  server = await DropInServer.start([{ kind: "smtp", name: "ups", password, sender: "30001234" }], {
    PEYK_SMTP_SERVER_LISTEN: "127.0.0.1:0",
    PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
    PEYK_TLS_CERT_FILE: certFile,
    PEYK_TLS_KEY_FILE: keyFile,
  });
});
afterAll(async () => {
  await server.stop();
  remove();
});

/** Everything it prints. */
async function said(cwd: string, ...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const both = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  return both.join("");
}

const port = () => String(server.running.smtpPorts.smtpPort);
const given = (recipient: string) => [port(), "ups", password, recipient, subject, text];

/** Once to a mobile number, once to a landline. */
async function sendsBy(send: (recipient: string) => Promise<string>, refusal: RegExp): Promise<void> {
  const known = server.messages().length;
  await send(to);
  expect(server.messages().slice(known)).toMatchObject([{ recipient: "+989121234500", text: `${subject}: ${text}` }]);
  expect(await send(landline)).toMatch(refusal);
  expect(server.messages()).toHaveLength(known + 1);
}

const python = `import smtplib, ssl, sys
from email.message import EmailMessage
port, user, password, to, subject, text = sys.argv[1:]
mail = EmailMessage()
mail["Subject"], mail["From"], mail["To"] = subject, "python@example.com", to
mail.set_content(text)
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
with smtplib.SMTP("127.0.0.1", int(port)) as smtp:
    smtp.starttls(context=context)
    smtp.login(user, password)
    smtp.send_message(mail)`;

const php = `<?php
require "/usr/share/php/libphp-phpmailer/autoload.php";
[, $port, $user, $password, $to, $subject, $text] = $argv;
$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->Host = "127.0.0.1";
$mail->Port = (int) $port;
$mail->SMTPAuth = true;
$mail->Username = $user;
$mail->Password = $password;
$mail->SMTPSecure = "tls";
$mail->SMTPOptions = ["ssl" => ["verify_peer" => false, "verify_peer_name" => false, "allow_self_signed" => true]];
$mail->CharSet = "UTF-8";
$mail->setFrom("php@example.com");
$mail->addAddress($to);
$mail->Subject = $subject;
$mail->Body = $text;
try { $mail->send(); echo "sent"; } catch (Exception $reason) { echo $reason->getMessage(); }`;

const why = /5\.1\.3 A recipient is no mobile number/;

test.skipIf(programAt("swaks") === null)("swaks (wants swaks)", () =>
  sendsBy((recipient) => {
    const signIn = ["--auth", "LOGIN", "--auth-user", "ups", "--auth-password", password];
    const encoded = `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`;
    const typed = ["--header", encoded, "--add-header", "Content-Type: text/plain; charset=utf-8", "--body", text];
    const ends = ["--server", `127.0.0.1:${port()}`, "--tls", "--from", "ups@example.com", "--to", recipient];
    return said(folder, "swaks", ...ends, ...signIn, ...typed);
  }, why),
);

test.skipIf(programAt("python3") === null)("Python's smtplib (wants python3)", () => {
  writeFileSync(join(folder, "send.py"), python);
  return sendsBy((recipient) => said(folder, "python3", "send.py", ...given(recipient)), why);
});

test.skipIf(programAt("/usr/share/php/libphp-phpmailer/autoload.php") === null)(
  "PHPMailer (wants libphp-phpmailer)",
  () => {
    writeFileSync(join(folder, "send.php"), php);
    return sendsBy((recipient) => said(folder, "php", "send.php", ...given(recipient)), /is no mobile number/);
  },
);

describe.skipIf(missingTools.length > 0)("Jakarta Mail (wants java, javac, mvn)", () => {
  test("sends, and names the refusal", async () => {
    const built = await buildForeignSmscs();
    const java = (recipient: string) =>
      said(built.folder, "java", "-Xmx128m", "-cp", "jars/*:classes", "JakartaMail", ...given(recipient));
    await sendsBy(java, why);
    built.remove();
  }, 240_000);
});
