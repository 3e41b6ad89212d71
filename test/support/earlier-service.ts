/** A carrier, a receiver and Peyk as processes on this machine, for testing what an earlier build left behind. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { selfSigned } from "./certificates.ts";
import { FormClient } from "./console.ts";
import type { EarlierBuild } from "./earlier-build.ts";
import { carrierFile, carrierToken, earlierSettings } from "./earlier-data.ts";
import { freePorts } from "./free-ports.ts";
import type { Installation } from "./installation.ts";
import { PeykProcess, peykCommand } from "./peyk-process.ts";

export interface EarlierService {
  installation: Installation;
  /** For the carrier and the receiver. */
  files: string;
  data: string;
  carrierPort: number;
  receiverPort: number;
  start(command?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function createEarlierService(folder: string, commit: EarlierBuild): Promise<EarlierService> {
  const [carrierPort = 0, receiverPort = 0] = await freePorts(2);
  const [files, data] = [join(folder, "peer"), join(folder, "data")];
  for (const path of [files, data]) mkdirSync(path, { mode: 0o700 });
  const certificate = selfSigned("127.0.0.1", "IP:127.0.0.1");
  const write = (name: string, content: string) => writeFileSync(join(files, name), content, { mode: 0o600 });
  write("peer.json", JSON.stringify({ carrierPort, receiverPort, ...certificate }));
  write("closed", "");
  write("carrier.json", JSON.stringify(carrierFile(carrierPort)));
  write("carrier.token", carrierToken);
  write("members.csv", "mobile,firstName\n+989121111111,Sara\n+989122222222,Reza\n");
  write("numbers.txt", "+989125555555\n+989126666666\n");
  write("other.toml", 'currency = "EUR"\n');
  write("receiver.pem", certificate.cert);
  const webhooks = { trusted_destinations: [`127.0.0.1:${receiverPort}`], ca_file: join(files, "receiver.pem") };
  const lines = Object.entries(webhooks).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  writeFileSync(join(data, "peyk.toml"), `${earlierSettings(commit)}[webhooks]\n${lines.join("")}`);
  const running = { command: peykCommand, peyk: null as PeykProcess | null, peer: null as Subprocess | null };
  const url = () => running.peyk?.url ?? "";
  return {
    files,
    data,
    carrierPort,
    receiverPort,
    async start(command = peykCommand) {
      running.command = command;
      running.peer ??= Bun.spawn([process.execPath, join(import.meta.dir, "carrier-and-receiver.ts"), files]);
      running.peyk = await PeykProcess.start({ folder: data, command });
    },
    async stop() {
      await running.peyk?.stop();
      running.peer?.kill();
      await running.peer?.exited;
    },
    installation: {
      async peyk(words) {
        const line = ["sh", "-c", `"$@" ${words}`, "sh", ...running.command];
        const child = Bun.spawn(line, { env: { ...process.env, PEYK_DATA_DIR: data }, stdout: "pipe", stderr: "pipe" });
        const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
        if ((await child.exited) !== 0) throw new Error(`peyk ${words}: ${err}`);
        return out;
      },
      async request(path, { method, apiKey, idempotencyKey, body }) {
        const key = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
        const headers = { "X-API-Key": apiKey, "Content-Type": "application/json", ...key };
        const answer = await fetch(`${url()}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
        return { status: answer.status, head, body: await answer.json() };
      },
      async form(path, fields) {
        const answer = await new FormClient(running.peyk?.consoleUrl ?? "").post(path, fields);
        return { status: answer.status, location: answer.headers.get("Location") };
      },
      async log(name) {
        const path = join(files, name);
        return existsSync(path) ? readFileSync(path, "utf8") : "";
      },
    },
  };
}
