/** An SMPP route's file: all wrong keys are named together, with what each should be. */
import { describe, expect, test } from "bun:test";
import { toldProblem } from "../../src/domain/operator-problem.ts";
import { parseSmppOptions } from "../../src/providers/smpp/options.ts";

const least = { host: "smsc.example", port: 2775, systemId: "peyk", password: "secret" };

function problemsOf(file: unknown): Record<string, string> {
  const result = parseSmppOptions(file);
  if (!("problems" in result)) return {};
  return Object.fromEntries(result.problems.map(toldProblem).map(({ key, message }) => [key, message]));
}

describe("an SMPP route file", () => {
  test("requires host, port, system id and password, and has defaults for the rest", () => {
    const result = parseSmppOptions(least);
    expect("options" in result && result.options).toMatchObject({
      bind: "transceiver",
      binds: 1,
      window: 10,
      partsPerSecond: null,
      responseTimeoutMs: 10_000,
      enquireLinkSeconds: 30,
      longMessages: "udh8",
      receiptId: "auto",
      onUncertain: "resend",
      validityMinutes: null,
      tlvs: [],
      tls: null,
    });
    expect(Object.keys(problemsOf({}))).toEqual(["host", "port", "systemId", "passwordFile"]);
  });

  test("has all its problems named at once, by key", () => {
    const problems = problemsOf({
      host: "smsc example",
      port: 70_000,
      systemId: "x".repeat(65),
      pasword: "secret",
      bind: "both",
      window: "10",
      binds: 1.5,
      longMessages: "UDH8",
      tls: { cafile: "/x", serverName: 7 },
      tlvs: { "5120": "x", "0x1400": { int8: 256 }, "0x0424": "x", "0x001e": "x" },
      temporaryErrors: [8, "x"],
      priority: { otp: 4, batch: 1 },
      partsPerSecond: 0,
    });
    expect(Object.keys(problems).sort()).toEqual(
      [
        "bind",
        "binds",
        "host",
        "longMessages",
        "partsPerSecond",
        "passwordFile",
        "pasword",
        "port",
        "priority.batch",
        "priority.otp",
        "systemId",
        "temporaryErrors",
        "tls.cafile",
        "tls.serverName",
        "tlvs.0x0424",
        "tlvs.0x001e",
        "tlvs.0x1400",
        "tlvs.5120",
        "window",
      ].sort(),
    );
    expect(problems.pasword).toBe('is not a known key; did you mean "password"?');
    expect(problems["tls.cafile"]).toContain('"caFile"');
    expect(problems.port).toBe("must be a whole number from 1 to 65535");
    expect(problems.bind).toBe('must be one of "transceiver", "transmitter+receiver", "receiver"');
  });

  test("that is not an object is refused as a whole", () => {
    for (const file of [null, [], "x", 7]) expect(problemsOf(file)).toEqual({ "": "must be a JSON object" });
  });

  const bounds: readonly [string, number, number][] = [
    ["port", 1, 65_535],
    ["binds", 1, 32],
    ["window", 1, 1000],
    ["partsPerSecond", 0.1, 100_000],
    ["responseTimeoutMs", 100, 300_000],
    ["enquireLinkSeconds", 1, 3600],
    ["validityMinutes", 0, 31 * 24 * 60],
    ["sourceTon", 0, 255],
    ["destinationNpi", 0, 255],
    ["protocolId", 0, 255],
  ];
  test.each(bounds)("accepts %s from %d to %d and nothing beyond", (key, min, max) => {
    const step = key === "partsPerSecond" ? 0.01 : 1;
    for (const value of [min, max]) expect(problemsOf({ ...least, [key]: value })).toEqual({});
    for (const value of [min - step, max + step, Number.NaN, String(min)]) {
      expect(Object.keys(problemsOf({ ...least, [key]: value }))).toEqual([key]);
    }
  });

  test("accepts TLVs in every form", () => {
    const tlvs = { "0x1400": "text", "0x1401": { cstring: "c" }, "0x1402": { hex: "00FF" }, "0x1403": { int32: 1 } };
    const result = parseSmppOptions({ ...least, tlvs });
    expect("options" in result && result.options.tlvs).toEqual([
      { tag: 0x1400, hex: "74657874" },
      { tag: 0x1401, hex: "6300" },
      { tag: 0x1402, hex: "00ff" },
      { tag: 0x1403, hex: "00000001" },
    ]);
  });

  test("accepts placeholders in texts of TLVs outside the standard", () => {
    const tlvs = {
      "0x1400": "{{trackingCode}}",
      "0x1401": { cstring: "{{ account }}-{{class}}" },
      "0x1402": { hex: "7b7b787d7d" },
      "0x0204": { int16: 7 },
    };
    expect(problemsOf({ ...least, tlvs })).toEqual({});
    const wrong = { "0x1400": "{{code}}", "0x1401": { cstring: "{{text}}" }, "0x0381": "{{account}}" };
    const problems = problemsOf({ ...least, tlvs: wrong });
    expect(Object.keys(problems)).toEqual(["tlvs.0x1400", "tlvs.0x1401", "tlvs.0x0381"]);
    expect(problems["tlvs.0x1400"]).toContain("knows no {{code}}: the placeholders are {{trackingCode}}, {{account}}");
    expect(problems["tlvs.0x0381"]).toContain("is a tag of the standard");
  });

  test("that still names a password file is told who should have read it", () => {
    const { password: _, ...withoutPassword } = least;
    expect(problemsOf({ ...withoutPassword, passwordFile: "/etc/peyk/smsc" }).passwordFile).toContain("command line");
  });

  test("never shows its password in a problem", () => {
    expect(JSON.stringify(problemsOf({ ...least, password: "geheim\n", port: 0 }))).not.toContain("geheim");
  });
});
