/**
 * An HTTP carrier and a callback receiver in one process, controlled and observed through files in its folder, so that
 * it also runs inside a machine of the installed tests: `peer.json` gives ports and certificate, the file `closed`
 * makes the receiver answer 500, `carrier.log` and `callbacks.log` have one JSON line per request.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

interface PeerSettings {
  carrierPort: number;
  receiverPort: number;
  /** PEM. */
  cert: string;
  key: string;
}

const [folder = "."] = process.argv.slice(2);
const { carrierPort, receiverPort, cert, key }: PeerSettings = JSON.parse(readFileSync(`${folder}/peer.json`, "utf8"));
const hostname = "127.0.0.1";
let messages = 0;

function note(file: string, entry: object): void {
  appendFileSync(`${folder}/${file}`, `${JSON.stringify(entry)}\n`);
}

Bun.serve({
  hostname,
  port: carrierPort,
  async fetch(request) {
    messages += 1;
    const body = await request.json();
    note("carrier.log", { ...body, authorization: request.headers.get("Authorization"), at: Date.now() });
    return Response.json({ status: "queued", messageId: `m${messages}` });
  },
});

Bun.serve({
  hostname,
  port: receiverPort,
  tls: { cert, key },
  async fetch(request) {
    const isClosed = existsSync(`${folder}/closed`);
    const { "x-service-timestamp": timestamp, "x-service-signature": signature } = request.headers.toJSON();
    note("callbacks.log", { body: await request.text(), timestamp, signature, isClosed });
    return new Response(null, { status: isClosed ? 500 : 204 });
  },
});
