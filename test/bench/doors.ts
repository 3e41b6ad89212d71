/**
 * What one account's flood at another door takes from a customer of the API: by mail, accepted or refused, and by a token
 * at `/api` and `/mcp`. Accepts a second of the service's processor time: what floods and loads take from each other on
 * a small machine says nothing of the service.
 */
import { FormClient, goodPassword } from "../support/console.ts";
import { SmtpDialogue } from "../support/smtp-dialogue.ts";
import { alternate, assertAnswered, comparedBy, p99Of, rateOf } from "./alternate.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { cpuMicrosOf } from "./process-cpu.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const env = {
  PEYK_SMTP_SERVER_LISTEN: "127.0.0.1:0",
  PEYK_SMTP_SERVER_DOMAIN: "sms.example.com",
  PEYK_SMTP_SERVER_PLAIN_FROM: "127.0.0.1",
};
const password = "password-of-ups";
const shareMin = 0.9;
const floodConnections = 20;

/** Goes on until its signal aborts; returns how often it was answered. */
type Flood = (signal: AbortSignal) => Promise<number>;

/** `line`: of the header, by which the mail is refused. */
function mailFlood({ peyk }: BenchServer, line: string): Flood {
  const port = Number(/"smtpPort":(\d+)/.exec(peyk.log)?.[1]);
  return all(async (signal) => {
    let count = 0;
    while (!signal.aborted) {
      const dialogue = await SmtpDialogue.open(port);
      await dialogue.say("EHLO ups");
      for (let reply = await dialogue.signIn("ups", password); /^[25]/.test(reply) && !signal.aborted; count += 1)
        reply = await dialogue.send(["09121234500@sms.example.com"], `${line}Subject: UPS\r\n\r\nOn battery`);
      dialogue.cut();
    }
    return count;
  });
}

function tokenFlood({ peyk }: BenchServer, token: string, path: string, body: string | null): Flood {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  return all(async (signal) => {
    let count = 0;
    for (; !signal.aborted; count += 1) {
      const request = body === null ? { headers } : { method: "POST", headers, body };
      await fetch(peyk.consoleUrl + path, request).then((answer) => answer.text());
    }
    return count;
  });
}

const all =
  (flood: Flood): Flood =>
  async (signal) =>
    (await Promise.all(Array.from({ length: floodConnections }, () => flood(signal)))).reduce(
      (sum, one) => sum + one,
      0,
    );

async function tokenOf({ peyk }: BenchServer): Promise<string> {
  const { setup } = (await peyk.operate("POST", "/users", { name: "loud", role: "operator" })) as {
    setup: { path: string };
  };
  await new FormClient(peyk.consoleUrl).post(setup.path, { password: goodPassword, again: goodPassword });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  return String((await peyk.operate("POST", "/tokens", { user: "loud", name: "agent", expiresAt })).token);
}

export async function doorRows({ samples, sampleSeconds, warmSeconds, connections }: Scale): Promise<Measure[]> {
  const server = await startBenchServer({ routesDisabled: true, env });
  const key = { account: (await server.peyk.operate("POST", "/accounts", { name: "Loud" })).id, name: "mail" };
  const { id } = await server.peyk.operate("POST", "/keys", key);
  await server.peyk.operate("POST", `/accounts/${key.account}/senders`, { sender: "30009999" });
  const credential = { key: id, kind: "smtp", name: "ups", password, traffic: "single", sender: "30009999" };
  await server.peyk.operate("POST", "/credentials", credential);
  const token = await tokenOf(server);
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"what_needs_a_look","arguments":{}}}';
  const floods: Record<string, Flood> = {
    "accepted mails": mailFlood(server, ""),
    "refused mails": mailFlood(server, "Auto-Submitted: auto-replied\r\n"),
    "a token at /api": tokenFlood(server, token, "/api/status", null),
    "a token at /mcp": tokenFlood(server, token, "/mcp", call),
  };
  const api = { url: server.peyk.url, script: "send.lua", connections, apiKey: server.customer.apiKey } as const;
  const alone = async () => {
    const before = cpuMicrosOf([server.peyk.pid]);
    const result = await load({ ...api, seconds: sampleSeconds });
    const cpuSeconds = (cpuMicrosOf([server.peyk.pid]) - before) / 1e6;
    return { ...result, perSecond: (result.perSecond * sampleSeconds) / cpuSeconds };
  };
  const answered = new Map<string, number[]>();
  const beside = async (what: string, flood: Flood) => {
    const stop = new AbortController();
    const startedAt = performance.now();
    const flooding = flood(stop.signal);
    // What may come at once has come.
    await Bun.sleep(warmSeconds * 1_000);
    const result = await alone();
    stop.abort();
    const perSecond = (await flooding) / ((performance.now() - startedAt) / 1_000);
    answered.set(what, [...(answered.get(what) ?? []), perSecond]);
    return result;
  };
  await load({ ...api, seconds: warmSeconds });
  const rows = Object.entries(floods).map(([what, flood]) => [alone, () => beside(what, flood)]);
  const results = await alternate(samples, rows.flat());
  await server.stop();
  assertAnswered(...results);
  return Object.keys(floods).flatMap((what, index) => {
    const [control, measured] = [results[2 * index], results[2 * index + 1]];
    return besideFlood(what, median(answered.get(what) ?? []), measured, control);
  });
}

function besideFlood(what: string, rate: number, measured: LoadResult[] = [], control: LoadResult[] = []): Measure[] {
  const [share, p99] = [comparedBy("perSecond", measured, control), comparedBy("p99", measured, control)];
  return [
    {
      what: `API accepts by processor time, beside ${what} at ${perSecond(rate)} of one account`,
      measured: perSecond(rateOf(measured)),
      control: perSecond(rateOf(control)),
      ...share,
      bar: shareMin.toFixed(2),
      met: share.ratio >= shareMin,
    },
    { what: "  its p99", measured: milliseconds(p99Of(measured)), control: milliseconds(p99Of(control)), ...p99 },
  ];
}
