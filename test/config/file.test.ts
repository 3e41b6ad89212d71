import { describe, expect, test } from "bun:test";
import { lineOfKey, parseConfigFile } from "../../src/config/file.ts";
import { loadSettings } from "../../src/config/settings.ts";
import { editSteps, nearest } from "../../src/domain/nearest.ts";

const messages = (toml: string) => parseConfigFile("peyk.toml", toml).problems.map((problem) => problem.message);

describe("the settings file", () => {
  test("reports a mistyped key with its line and the nearest key", () => {
    expect(messages("# a comment\n[http]\nrequest_per_minute = 5")).toEqual([
      "peyk.toml line 3: there is no setting http.request_per_minute. Did you mean http.requests_per_minute?",
    ]);
    expect(messages("[idempotancy]\ndays = 5").join()).toContain("Did you mean idempotency.days?");
    expect(messages("[http]\nretries.count = 5")).toEqual([
      "peyk.toml line 2: there is no setting http.retries.count.",
    ]);
  });

  test("reports a section name without keys, too", () => {
    expect(messages('http = "yes"')).toEqual(["peyk.toml line 1: there is no setting http."]);
  });

  test("reports invalid TOML with line and column", () => {
    expect(messages("listen = \n").join()).toMatch(/^peyk\.toml line 1, column \d+: this is no TOML/);
    expect(messages("[http]\ntrusted_proxies = [").join()).toMatch(/^peyk\.toml line \d+/);
    expect(messages("log.level = 'info'\nlog.level = 'warn'").join()).toMatch(/^peyk\.toml line 2/);
  });

  test("reports keys with hostile names as unknown, and does nothing else with them", () => {
    expect(messages("__proto__.x = 1\n[constructor]\nprototype = 2")).toHaveLength(2);
  });

  test("finds the line of a key under headers, dotted, quoted and in inline tables", () => {
    const toml = ["listen = 'a'", "", "[ http ]", '"requests_per_minute" = 1', "[otp]", "per_hour=2", "[log]"].join(
      "\n",
    );
    expect(lineOfKey(toml, "listen")).toBe(1);
    expect(lineOfKey(toml, "http.requests_per_minute")).toBe(4);
    expect(lineOfKey(toml, "otp.per_hour")).toBe(6);
    expect(lineOfKey("\ntls = { cert_file = 'a' }", "tls.cert_file")).toBe(2);
    expect(lineOfKey(toml, "nowhere")).toBeNull();
  });

  test("is looked for by option, environment, in the data folder and under /etc, in that order", () => {
    const files = new Map([
      ["/flag.toml", "DE"],
      ["/env.toml", "FR"],
      ["/srv/peyk/peyk.toml", "GB"],
      ["/etc/peyk/peyk.toml", "US"],
    ]);
    const regionWith = (env: Record<string, string>, configFile?: string) => {
      const readFile = (path: string) => (files.has(path) ? `default_region = "${files.get(path)}"` : null);
      const loaded = loadSettings({ flags: {}, env, readFile, configFile });
      return loaded.ok ? loaded.settings.defaultRegion : loaded.problems.map((problem) => problem.message).join();
    };
    expect(regionWith({ PEYK_CONFIG: "/env.toml" }, "/flag.toml")).toBe("DE");
    expect(regionWith({ PEYK_CONFIG: "/env.toml", PEYK_DATA_DIR: "/srv/peyk" })).toBe("FR");
    expect(regionWith({ PEYK_DATA_DIR: "/srv/peyk" })).toBe("GB");
    expect(regionWith({})).toBe("US");
    expect(regionWith({}, "/gone.toml")).toBe("There is no settings file /gone.toml.");
  });

  test("is reported, not skipped, if it cannot be read", () => {
    const readFile = () => {
      throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    };
    const loaded = loadSettings({ flags: {}, env: {}, readFile });
    expect(loaded.ok ? "" : loaded.problems[0]?.message).toBe(
      "You may not read data/peyk.toml. Run this as its owner, or as root.",
    );
  });
});

describe("the nearest known word", () => {
  test("counts letters that were changed, added, removed and swapped", () => {
    expect([
      editSteps("", "abc"),
      editSteps("abc", ""),
      editSteps("abc", "acb"),
      editSteps("kitten", "sitting"),
    ]).toEqual([3, 3, 1, 3]);
  });

  test("is none if nothing is near", () => {
    expect(nearest("zzzzzz", ["listen", "otp.text"])).toBeNull();
    expect(nearest("lisen", ["otp.text", "listen"])).toBe("listen");
  });
});
