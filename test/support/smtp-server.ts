/** A real SMTP server, Debian's aiosmtpd, that keeps every message it accepts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyPair } from "./certificates.ts";
import { freePort } from "./free-ports.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Who signed in; null for nobody. */
  user: string | null;
  tls: boolean;
  /** Headers and body as received. */
  data: string;
}

export interface SmtpServer {
  port: number;
  mails: ReceivedMail[];
  stop(): Promise<void>;
}

export interface SmtpServerOptions {
  /** If set, STARTTLS is required. */
  certificate?: KeyPair;
  /** If set, a client must sign in. */
  account?: { user: string; password: string };
}

const script = `
import asyncio, json, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult

port, certificate, key, user, password = int(sys.argv[1]), *sys.argv[2:]

class Handler:
    async def handle_DATA(self, server, session, envelope):
        mail = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "user": session.auth_data,
                "tls": session.ssl is not None, "data": envelope.content.decode()}
        print(json.dumps(mail), flush=True)
        return "250 OK"

def authenticate(server, session, envelope, mechanism, data):
    good = data.login.decode() == user and data.password.decode() == password
    return AuthResult(success=good, handled=good, auth_data=data.login.decode())

def session():
    options = {}
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        options.update(tls_context=context, require_starttls=True)
    if user:
        options.update(authenticator=authenticate, auth_required=True, auth_require_tls=bool(certificate))
    return SMTP(Handler(), **options)

async def serve():
    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", port)
    print("listening", flush=True)
    await server.serve_forever()

asyncio.run(serve())
`;

export async function startSmtpServer({ certificate, account }: SmtpServerOptions = {}): Promise<SmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-smtp-"));
  const files = certificate === undefined ? ["", ""] : [join(folder, "cert.pem"), join(folder, "key.pem")];
  if (certificate !== undefined) {
    writeFileSync(files[0] ?? "", certificate.cert);
    writeFileSync(files[1] ?? "", certificate.key);
  }
  const port = await freePort();
  const { user = "", password = "" } = account ?? {};
  // Debian's own Python has Debian's packages, whatever else is on the path.
  const argv = ["/usr/bin/python3", "-W", "ignore", "-c", script, String(port), ...files, user, password];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "ignore" });
  const mails: ReceivedMail[] = [];
  const listening = Promise.withResolvers<void>();
  const reading = readLines(child.stdout, (line) => {
    if (line === "listening") listening.resolve();
    else mails.push(JSON.parse(line));
  });
  await Promise.race([listening.promise, reading.then(() => Promise.reject(new Error("aiosmtpd did not start")))]);
  return {
    port,
    mails,
    async stop() {
      child.kill();
      await child.exited;
      await reading;
      rmSync(folder, { recursive: true });
    },
  };
}

async function readLines(output: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of output) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
}
