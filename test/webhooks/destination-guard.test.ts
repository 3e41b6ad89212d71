/** No callback reaches an internal address, whatever a name server answers. */
import { afterAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import dns from "node:dns";
import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import { parseCallbackUrl, parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import { type Callback, CallbackAttempts } from "../../src/webhooks/attempt.ts";
import { DestinationGuard, interfaceAddresses } from "../../src/webhooks/destination-guard.ts";
import { type Resolver, ResolverFailed, systemResolver } from "../../src/webhooks/resolver.ts";
import type { CallbackRequest, Transport } from "../../src/webhooks/transport/transport.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

/** Dials nothing; it records what would have been dialled. */
function recordingTransport() {
  const dialled: CallbackRequest[] = [];
  const transport: Transport = {
    post(request) {
      dialled.push(request);
      return Promise.resolve({ status: 200, retryAfter: null, body: new Uint8Array() });
    },
    close: () => undefined,
  };
  return { dialled, transport };
}

/** Resolves to these answers in turn, and from then on to the last one. */
const answering = (...answers: readonly (readonly string[])[]): Resolver => {
  let turn = 0;
  return {
    resolve() {
      const answer = answers[Math.min(turn, answers.length - 1)] ?? [];
      turn += 1;
      return Promise.resolve(answer);
    },
  };
};

const callback: Callback = {
  url: "https://hooks.peyk.dev/a",
  eventId: "01a1fa60-707e-749d-b535-f01a26142351",
  kind: "message.status",
  body: "{}",
  signingSecret: "whsec_x",
  attempt: 1,
};

interface AttemptsInput {
  resolver: Resolver;
  own?: readonly string[];
  trusted?: readonly string[];
  denied?: readonly string[];
}

function attempts({ resolver, own = [], trusted = [], denied = [] }: AttemptsInput) {
  const clock = new ManualClock();
  const { dialled, transport } = recordingTransport();
  const guard = new DestinationGuard({ resolver, policy: createAddressPolicy(denied), ownAddresses: () => own });
  const callbacks = new CallbackAttempts({ clock, guard, transport, trusted: parseTrustedDestinations(trusted) });
  const run = (changes: Partial<Callback> = {}) =>
    callbacks.run({ ...callback, ...changes }, new AbortController().signal);
  return { clock, dialled, run };
}

const publicV4 = "93.184.216.34";
const publicV6 = "2606:2800:220:1::5";

describe("a name listed for a credential by the operator", () => {
  const origin = "http://hooks.lan:8000";
  const listed = parseCallbackUrl(`${origin}/r`, [origin]);
  const addressesOf = (...answer: readonly string[]) =>
    new DestinationGuard({
      resolver: answering(answer),
      policy: createAddressPolicy(["10.9.0.0/16"]),
      ownAddresses: () => ["10.0.0.7"],
    }).addressesOf(listed);

  test("may resolve to private addresses and to this host", async () => {
    expect(await addressesOf("10.0.0.5", "10.0.0.7", "127.0.0.1")).toEqual(["10.0.0.5", "10.0.0.7", "127.0.0.1"]);
  });

  test.each(["169.254.169.254", "fe80::1", "fd00:ec2::254", "10.9.0.1"])("may never resolve to %s", async (address) => {
    await expect(addressesOf("10.0.0.5", address)).rejects.toThrow("is refused");
  });
});

describe("a name that resolves", () => {
  test("to a public address is called there, with the name checked in the certificate", async () => {
    const { run, dialled } = attempts({ resolver: answering([publicV4]) });
    expect(await run()).toMatchObject({ failure: null, address: publicV4, status: 200 });
    expect(dialled).toMatchObject([{ address: publicV4, host: "hooks.peyk.dev", port: 443, target: "/a" }]);
  });

  test("to a public address first and a private one at the second attempt is refused then", async () => {
    const { run, dialled } = attempts({ resolver: answering([publicV4], ["10.0.0.1"]) });
    expect((await run()).failure).toBeNull();
    expect(await run({ attempt: 2 })).toMatchObject({ failure: "address_refused", address: null });
    expect(dialled.length).toBe(1);
  });

  for (const mixed of [
    [publicV4, "127.0.0.1"],
    ["127.0.0.1", publicV4],
    [publicV4, publicV6, "::1"],
    [publicV4, `::ffff:${publicV4}`],
    [publicV4, "not an address"],
    [publicV4, "fe80::1%eth0"],
  ]) {
    test(`to a mixed answer is refused entirely: ${mixed.join(", ")}`, async () => {
      const { run, dialled } = attempts({ resolver: answering(mixed) });
      expect((await run()).failure).toBe("address_refused");
      expect(dialled).toEqual([]);
    });
  }

  test("to no address is reported as not found", async () => {
    expect(await attempts({ resolver: answering([]) }).run()).toMatchObject({
      failure: "name_not_found",
      address: null,
    });
  });

  test("with a failure of the name server is reported as such", async () => {
    const resolver: Resolver = { resolve: () => Promise.reject(new ResolverFailed("SERVFAIL")) };
    expect(await attempts({ resolver }).run()).toMatchObject({
      failure: "resolver_failed",
      detail: "hooks.peyk.dev: SERVFAIL",
    });
  });

  test("never ends the attempt after ten seconds", async () => {
    const { run, clock, dialled } = attempts({ resolver: { resolve: () => new Promise(() => undefined) } });
    const running = run();
    await clock.advance(9_999);
    expect(await Promise.race([running, settleLoop().then(() => "running")])).toBe("running");
    await clock.advance(1);
    expect(await running).toMatchObject({ failure: "timeout", durationMs: 10_000 });
    expect(dialled).toEqual([]);
  });

  test("after the deadline is not called", async () => {
    const late = Promise.withResolvers<readonly string[]>();
    const { run, clock, dialled } = attempts({ resolver: { resolve: () => late.promise } });
    const running = run();
    await clock.advance(10_000);
    expect((await running).failure).toBe("timeout");
    late.resolve([publicV4]);
    await settleLoop();
    expect(dialled).toEqual([]);
  });

  test("to a thousand addresses is called at one, and not at all if one of them is private", async () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => `93.184.${index >> 8}.${index & 255}`);
    const good = attempts({ resolver: answering(thousand) });
    expect((await good.run()).address).toBe("93.184.0.0");
    expect(good.dialled.length).toBe(1);
    const bad = attempts({ resolver: answering([...thousand, "192.168.1.1"]) });
    expect((await bad.run()).failure).toBe("address_refused");
  });

  test("is called by IPv4 first, and each further attempt uses the next address", async () => {
    const { run, dialled } = attempts({ resolver: answering([publicV6, publicV4, "93.184.216.35"]) });
    for (const attempt of [1, 2, 3, 4]) await run({ attempt });
    expect(dialled.map(({ address }) => address)).toEqual([publicV4, "93.184.216.35", publicV6, publicV4]);
  });

  test("to this host or to a range that the operator denied is refused", async () => {
    expect((await attempts({ resolver: answering([publicV4]), own: [publicV4] }).run()).failure).toBe(
      "address_refused",
    );
    expect((await attempts({ resolver: answering([publicV4]), denied: ["93.184.0.0/16"] }).run()).failure).toBe(
      "address_refused",
    );
  });

  test("is compared with this machine's real interfaces, loopback included", () => {
    expect(interfaceAddresses(new ManualClock())()).toContain("127.0.0.1");
  });
});

describe("a URL that is an address", () => {
  const unusedResolver: Resolver = { resolve: () => Promise.reject(new Error("must not be called")) };

  test("is checked without a name server", async () => {
    const { run } = attempts({ resolver: unusedResolver });
    expect((await run({ url: "https://169.254.169.254/latest" })).failure).toBe("address_refused");
    expect((await run({ url: "https://[::ffff:7f00:1]/" })).failure).toBe("address_refused");
    expect((await run({ url: `https://${publicV4}/` })).failure).toBeNull();
    expect((await run({ url: `https://[${publicV6}]/` })).address).toBe(publicV6);
  });
});

describe("trusted destinations", () => {
  test("by listed name and port may resolve to a private address", async () => {
    const { run, dialled } = attempts({ resolver: answering(["10.1.2.3"]), trusted: ["hooks.lan:9443"] });
    expect((await run({ url: "https://hooks.lan:9443/x?y=z" })).failure).toBeNull();
    expect(dialled).toMatchObject([{ address: "10.1.2.3", host: "hooks.lan", port: 9443, target: "/x?y=z" }]);
    expect((await run({ url: "https://other.peyk.dev/" })).failure).toBe("address_refused");
  });

  test("are refused once removed from the list", async () => {
    const { run, dialled } = attempts({ resolver: answering(["10.1.2.3"]) });
    expect((await run({ url: "https://hooks.lan:9443/" })).failure).toBe("destination_refused");
    expect((await run({ url: "https://10.1.2.3/" })).failure).toBe("address_refused");
    expect(dialled).toEqual([]);
  });
});

describe("the system's resolver, against the tests' own name server", () => {
  const server = createSocket("udp4");
  const before = dns.getServers();
  afterAll(() => {
    dns.setServers(before);
    server.close();
  });

  const v4Record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 93, 184, 216, 34];
  const v6Record = [
    0xc0,
    12,
    0,
    28,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    16,
    ...Buffer.from("26062800022000010000000000000005", "hex"),
  ];

  function replyTo(query: Buffer): Buffer {
    let end = 12;
    while (query[end] !== 0) end += (query[end] ?? 0) + 1;
    const name = query.toString("latin1", 13, end);
    const isV4 = query.readUInt16BE(end + 1) === 1;
    const code = name.startsWith("servfail") ? 2 : name.startsWith("missing") ? 3 : 0;
    const hasRecord = code === 0 && !name.startsWith("empty") && (isV4 || !name.startsWith("v4"));
    const head = [query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, hasRecord ? 1 : 0, 0, 0, 0, 0];
    const record = hasRecord ? (isV4 ? v4Record : v6Record) : [];
    return Buffer.concat([Buffer.from(head), query.subarray(12, end + 5), Buffer.from(record)]);
  }

  test("returns A and AAAA records, nothing for a name without any, and an error if the server fails", async () => {
    server.on("message", (query, peer) => server.send(replyTo(query), peer.port, peer.address));
    await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
    dns.setServers([`127.0.0.1:${server.address().port}`]);
    expect(new Set(await systemResolver.resolve("both.peyk.dev"))).toEqual(new Set([publicV4, publicV6]));
    expect(await systemResolver.resolve("v4only.peyk.dev")).toEqual([publicV4]);
    expect(await systemResolver.resolve("missing.peyk.dev")).toEqual([]);
    expect(await systemResolver.resolve("empty.peyk.dev")).toEqual([]);
    await expect(systemResolver.resolve("servfail.peyk.dev")).rejects.toBeInstanceOf(ResolverFailed);
  });

  test("reads the hosts file", async () => {
    expect(await systemResolver.resolve("localhost")).toContain("127.0.0.1");
  });
});
