/** The receiver of a proof's callbacks: refuses some of them once, and judges in the end what it was told; shares no code with the service. */
import { Database } from "bun:sqlite";
import { createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const refusedEvery = 20;
/** What was accepted is on disk within this time. */
const recordedMsMax = 10_000;
const certificate = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=prove -batch";

const tables = `PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; CREATE TABLE interruption (since, until);
  CREATE TABLE callback (code, step, id, at, isAccepted); CREATE INDEX told ON callback (code, step)`;
const accepted = "SELECT code, step FROM callback WHERE isAccepted";
const reached = `SELECT tracking_code AS code, 'processing' AS step FROM message WHERE processing_at
  UNION ALL SELECT tracking_code, 'sent' FROM message WHERE sent_at
  UNION ALL SELECT tracking_code, state FROM message WHERE final_at`;
/** Without joins of what is not indexed: a proof of an hour has a million callbacks. */
const questions = [
  `SELECT code || ' is ' || step || ', and no callback told it' FROM (SELECT * FROM (${reached}) EXCEPT ${accepted})`,
  `SELECT code || ' was told as ' || step || ', which it never was' FROM (${accepted} EXCEPT SELECT * FROM (${reached}))`,
  `SELECT code || ' was told as ' || step || ' too early' FROM (
     SELECT *, lag(at) OVER (PARTITION BY code ORDER BY place) AS earlier FROM (
       SELECT code, step, min(at) AS at, CASE step WHEN 'processing' THEN 1 WHEN 'sent' THEN 2 ELSE 3 END AS place
       FROM callback WHERE isAccepted GROUP BY code, step))
   WHERE at < earlier`,
  `SELECT code || ' was told as ' || step || ' again, by another event or without an interruption'
   FROM callback AS again JOIN callback AS earlier USING (code, step) WHERE earlier.isAccepted AND again.at > earlier.at
   AND (again.id <> earlier.id OR NOT EXISTS (SELECT 1 FROM interruption
     WHERE earlier.at BETWEEN since - ${recordedMsMax} AND until AND again.at > since))`,
];
const counts = "SELECT count(DISTINCT id), sum(NOT isAccepted), sum(isAccepted) - count(DISTINCT id) FROM callback";
const last = "callback WHERE isAccepted ORDER BY at DESC LIMIT 1";
/** A lost callback and a doubled one. */
const control = [
  `DELETE FROM callback WHERE id = (SELECT id FROM ${last})`,
  `INSERT INTO callback SELECT code, step, id, at + 1, TRUE FROM ${last}`,
];

export type ProofReceiver = NonNullable<ReturnType<typeof openProofReceiver>>;
/** Null if no certificate can be made. */
export function openProofReceiver(folder: string) {
  mkdirSync(folder, { mode: 0o700 });
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const words = [...certificate.split(" "), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert];
  if (Bun.which("openssl") === null || !Bun.spawnSync(["openssl", ...words], { stderr: "ignore" }).success) return null;
  const told = new Database(join(folder, "told.db"));
  told.run(tables);
  let secret = "";
  const answer = async (request: Request) =>
    new Response(null, { status: statusFor(told, secret, request.headers, await request.text()) });
  const tls = { key: Bun.file(key), cert: Bun.file(cert) };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: answer });
  return {
    environment: { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: server.url.host, PEYK_WEBHOOKS_CA_FILE: cert },
    async subscribe(api: string | null, apiKey: string): Promise<void> {
      const headers = { "X-API-Key": apiKey, "Content-Type": "application/json" };
      const body = JSON.stringify({ url: server.url.href, events: ["message.status"] });
      ({ signingSecret: secret } = await (
        await fetch(`${api}/v1/webhooks/`, { method: "POST", headers, body })
      ).json());
    },
    /** The service was killed, or could not write: what had been accepted just before may come again. */
    interrupted: (since: number) => told.run("INSERT INTO interruption VALUES (?, ?)", [since, performance.now()]),
    judge: (file: string) => judged(told, file),
    close: () => server.stop(true).then(() => told.close()),
  };
}

/** What is not signed as documented is refused, and so lost. */
function statusFor(told: Database, secret: string, headers: Headers, body: string): number {
  const [id = "", time = ""] = ["Event-Id", "Timestamp"].map((name) => headers.get(`X-Service-${name}`) ?? "");
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  if (headers.get("X-Service-Signature") !== `v1=${signature}`) return 400;
  const { data }: { data: { trackingCode: string; status: string } } = JSON.parse(body);
  const event = [data.trackingCode, data.status, id];
  const isKnown = told.query("SELECT 1 FROM callback WHERE code = ? AND step = ? AND id = ?").get(...event) !== null;
  const isAccepted = isKnown || Bun.hash.crc32(id) % refusedEvery > 0;
  told.run("INSERT INTO callback VALUES (?, ?, ?, ?, ?)", [...event, performance.now(), isAccepted]);
  return isAccepted ? 204 : 503;
}

/** By a file that no service has open. */
export function judged(told: Database, file: string) {
  told.run("ATTACH ? AS service", [file]);
  const found = () => questions.flatMap((sql) => told.query(sql).values().flat().map(String));
  const findings = found();
  const isControlFound = control.every((change) => {
    told.run(`BEGIN; ${change}`);
    const isFound = found().length > findings.length;
    told.run("ROLLBACK");
    return isFound;
  });
  const [events, refused, repeated] = told.query<number[], []>(counts).values().flat();
  return { events, refused, repeated, findings, isControlFound };
}
