/** Compares with Debian's Kannel: each request goes to its smsbox and to Peyk, and the answers are equal unless a difference is intended. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { DropInServer } from "../support/drop-in-server.ts";
import { type Kannel, startKannel } from "../support/kannel.ts";
import { kannelDifferences } from "../support/kannel-differences.ts";
import { type KannelRequest, kannelRequests } from "../support/kannel-requests.ts";
import { eventually } from "../support/peyk-process.ts";
import { rawConnection } from "../support/raw-http.ts";
import { Smsc } from "../support/smsc.ts";
import { describeWith } from "../support/wants.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(60_000);

/** Status, type and body. */
async function answered(port: number, { octets }: KannelRequest): Promise<string> {
  const connection = await rawConnection(port);
  connection.write(octets);
  const { status, headers, body } = await connection.answer();
  connection.end();
  return `${status} ${headers.get("content-type")} ${body}`.trimEnd();
}

describeWith("bearerbox", "smsbox")("Kannel and Peyk", () => {
  let smsc: Smsc;
  let kannel: Kannel;
  let server: DropInServer;

  beforeAll(async () => {
    smsc = await Smsc.start();
    kannel = await startKannel({ smscPort: smsc.port, username: "shop", password: "password-of-shop", logLevel: 3 });
    server = await DropInServer.start();
    await eventually(() => smsc.binds.length === 1);
  });

  afterAll(async () => {
    await server.stop();
    await kannel.stop();
    await smsc.stop();
  });

  test("answer more than two hundred requests alike, byte for byte, except those that a file lists", async () => {
    const kannelPort = Number(new URL(kannel.sendsmsUrl).port);
    const found = new Map<string, string>();
    for (const request of kannelRequests) {
      const [theirs, ours] = [await answered(kannelPort, request), await answered(server.port, request)];
      if (theirs !== ours) found.set(request.name, ours);
    }
    expect(kannelRequests.length).toBeGreaterThan(200);
    expect(new Set(kannelRequests.map(({ name }) => name)).size).toBe(kannelRequests.length);
    const intended = [...kannelDifferences].map(([name, { peyk }]) => [name, peyk]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(intended));
  });
});
