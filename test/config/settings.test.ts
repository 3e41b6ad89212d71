import { describe, expect, test } from "bun:test";
import type { SettingSources } from "../../src/config/settings.ts";
import { at, defaultSettings, loadSettings, originText, settingEntries } from "../../src/config/settings.ts";

/** Sources with one file's content, under the name that `--config` gives. */
function sources(parts: {
  flags?: SettingSources["flags"];
  env?: SettingSources["env"];
  toml?: string;
}): SettingSources {
  const { flags = {}, env = {}, toml } = parts;
  return {
    flags,
    env,
    configFile: toml === undefined ? undefined : "peyk.toml",
    readFile: (path) => (path === "peyk.toml" ? (toml ?? null) : null),
  };
}

function load(parts: Parameters<typeof sources>[0]) {
  const loaded = loadSettings(sources(parts));
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join("\n"));
  return loaded;
}

function problems(parts: Parameters<typeof sources>[0]): string[] {
  const loaded = loadSettings(sources(parts));
  return loaded.ok ? [] : loaded.problems.map((problem) => problem.message);
}

describe("settings", () => {
  test("have their defaults without any source", () => {
    const settings = defaultSettings();
    expect(settings.dataDir).toBe("./data");
    expect(settings.listen).toBe("127.0.0.1:8080");
    expect(settings.idempotency).toEqual({ mismatch: "replay", days: 30 });
    expect(settings.messages).toEqual({
      validityHours: 48,
      retentionDays: 90,
      recipients: "valid",
      extraRanges: [],
    });
    expect(settings.webhooks).toEqual({ trustedDestinations: [], caFile: null, denyCidrs: [] });
    expect(settings.tls).toEqual({ certFile: null, keyFile: null });
  });

  test("take an option before the environment, the environment before the file, the file before the default", () => {
    const toml = 'listen = "127.0.0.1:1"\nconsole_listen = "127.0.0.1:2"\ndefault_region = "DE"';
    const env = { PEYK_LISTEN: "127.0.0.1:3", PEYK_CONSOLE_LISTEN: "127.0.0.1:4" };
    const { settings, origins } = load({ flags: { listen: "127.0.0.1:5" }, env, toml });
    expect([settings.listen, settings.consoleListen, settings.defaultRegion, settings.dataDir]).toEqual([
      "127.0.0.1:5",
      "127.0.0.1:4",
      "DE",
      "./data",
    ]);
    expect(
      ["listen", "console_listen", "default_region", "data_dir"].map((key) =>
        originText(origins.get(key) ?? { source: "default" }),
      ),
    ).toEqual(["flag --listen", "environment PEYK_CONSOLE_LISTEN", "peyk.toml line 3", "default"]);
  });

  test("have environment names that are PEYK_ and the key", () => {
    const names = new Map(settingEntries.map((entry) => [entry.key, entry.environment]));
    expect(names.get("data_dir")).toBe("PEYK_DATA_DIR");
    expect(names.get("webhooks.trusted_destinations")).toBe("PEYK_WEBHOOKS_TRUSTED_DESTINATIONS");
    expect(names.get("webhooks.ca_file")).toBe("PEYK_WEBHOOKS_CA_FILE");
    expect(names.get("idempotency.mismatch")).toBe("PEYK_IDEMPOTENCY_MISMATCH");
    expect(names.get("default_region")).toBe("PEYK_DEFAULT_REGION");
    expect(names.get("otp.text")).toBe("PEYK_OTP_TEXT");
    expect(names.get("messages.validity_hours")).toBe("PEYK_MESSAGES_VALIDITY_HOURS");
    expect(new Set(names.values()).size).toBe(settingEntries.length);
  });

  test("each state their purpose, and each default passes its own check", () => {
    for (const { key, setting } of settingEntries) {
      expect({ key, ok: setting.read(setting.default).ok, helped: /^[A-Z].{10,}\.$/.test(setting.help) }).toEqual({
        key,
        ok: true,
        helped: true,
      });
    }
  });

  test("split lists in the environment at commas, and read an empty variable as an empty list", () => {
    const env = {
      PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: "10.1.2.3:9443, hooks.lan:443,[fd00::1]:443",
      PEYK_WEBHOOKS_DENY_CIDRS: "",
    };
    const { webhooks } = load({ env, toml: '[webhooks]\ndeny_cidrs = ["10.0.0.0/8"]' }).settings;
    expect(webhooks.trustedDestinations).toEqual(["10.1.2.3:9443", "hooks.lan:443", "[fd00::1]:443"]);
    expect(webhooks.denyCidrs).toEqual([]);
  });

  test("treat an empty variable as not set if the setting cannot be empty", () => {
    expect(load({ env: { PEYK_LISTEN: "", PEYK_HTTP_REQUESTS_PER_MINUTE: "" } }).settings.http.requestsPerMinute).toBe(
      120,
    );
  });

  test("accept true and false as booleans in every source", () => {
    expect(load({ env: { PEYK_OTP_FRAUD_GUARD: "TRUE" } }).settings.otp.fraudGuard).toBe(true);
    expect(load({ toml: "otp.fraud_guard = true" }).settings.otp.fraudGuard).toBe(true);
    expect(problems({ env: { PEYK_OTP_FRAUD_GUARD: "yes" } })).toEqual([
      'environment PEYK_OTP_FRAUD_GUARD: otp.fraud_guard must be true or false, not "yes".',
    ]);
  });

  for (const { key, environment, path, setting } of settingEntries) {
    if (setting.bounds === null) continue;
    const { min, max } = setting.bounds;
    test(`${key} takes ${min} and ${max}, and refuses ${min - 1}, ${max + 1} and a fraction`, () => {
      for (const edge of [min, max]) {
        expect(at(load({ env: { [environment]: String(edge) } }).settings, path)).toBe(edge);
        expect(at(load({ toml: `${key} = ${edge}` }).settings, path)).toBe(edge);
      }
      for (const beyond of [min - 1, max + 1, min + 0.5]) {
        const why = `must be a whole number from ${min} to ${max}, not`;
        expect(problems({ env: { [environment]: String(beyond) } }).join()).toContain(why);
        expect(problems({ toml: `${key} = ${beyond}` }).join()).toContain(why);
      }
    });
  }

  test("refuse a number written as text in the file", () => {
    expect(problems({ toml: '[http]\nrequests_per_minute = "120"' })).toEqual([
      'peyk.toml line 2: http.requests_per_minute must be a whole number from 1 to 1000000, not "120".',
    ]);
  });

  test.each(["nan", "inf"])("refuse the number %s in the file", (number) => {
    const refused = { nan: "NaN", inf: "Infinity" }[number];
    expect(problems({ toml: `[http]\nrequests_per_minute = ${number}` }).join()).toEndWith(`, not ${refused}.`);
  });

  test("report all problems at once", () => {
    const toml = 'listen = "nowhere"\n[idempotency]\nmismatch = "maybe"\ndayz = 3';
    expect(problems({ toml, env: { PEYK_DEFAULT_REGION: "XX", PEYK_OTP_TEXT: "no code here" } })).toHaveLength(5);
  });

  test("allow ports from 0 to 65535 to listen on, and from 1 as destinations", () => {
    expect(load({ flags: { listen: "127.0.0.1:0" } }).settings.listen).toBe("127.0.0.1:0");
    expect(load({ flags: { listen: "[::]:65535" } }).settings.listen).toBe("[::]:65535");
    for (const listen of [
      "127.0.0.1:65536",
      "127.0.0.1",
      ":80",
      "::1:80",
      "[nope]:80",
      "10.1.2:80",
      "bad_host:80",
      "h:-1",
    ]) {
      expect(problems({ flags: { listen } })).toHaveLength(1);
    }
    expect(problems({ env: { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: "a:1,b:0" } }).join()).toContain('"b:0" is none');
  });

  test("refuse a portal colour that is hard to read, and suggest one that is readable", () => {
    expect(problems({ env: { PEYK_PORTAL_ACCENT: "#f5a623" } })).toEqual([
      'environment PEYK_PORTAL_ACCENT: portal.accent must be a colour with a contrast of at least 4.5:1 against light pages, such as the darker #936415, not "#f5a623".',
    ]);
    expect(problems({ env: { PEYK_PORTAL_ACCENT: "teal" } })[0]).toContain("a colour such as #0a5f73");
    expect(problems({ env: { PEYK_PORTAL_ACCENT: "#0A5F73" } })).toEqual([]);
  });

  test("accept networks as addresses or CIDR ranges of either version", () => {
    const env = { PEYK_HTTP_TRUSTED_PROXIES: "10.0.0.1,10.0.0.0/8,::1,fd00::/8" };
    expect(load({ env }).settings.http.trustedProxies).toHaveLength(4);
    for (const wrong of ["10.0.0.0/33", "10", "proxy.lan", "::/129"]) {
      expect(problems({ env: { PEYK_HTTP_TRUSTED_PROXIES: wrong } })).toHaveLength(1);
    }
  });

  test("accept a one-time password text of 2000 characters, and refuse 2001", () => {
    const of = (length: number) => `{{ code }}${"😀".repeat(length - 10)}`;
    expect(load({ env: { PEYK_OTP_TEXT: of(2000) } }).settings.otp.text).toHaveLength(10 + 2 * 1990);
    expect(problems({ env: { PEYK_OTP_TEXT: of(2001) } })).toHaveLength(1);
  });

  test("allow idempotency keys to be kept for longer than messages, without a warning", () => {
    expect(load({ toml: "messages.retention_days = 7" }).warnings).toEqual([]);
    expect(load({ toml: "messages.retention_days = 7\nidempotency.days = 7" }).warnings).toEqual([]);
    expect(load({ toml: "messages.retention_days = 7\nidempotency.days = 8" }).warnings).toEqual([]);
  });

  test("require certificate and key together, and different addresses for the two listeners", () => {
    expect(problems({ toml: 'tls.cert_file = "c.pem"' })).toEqual([
      "tls.cert_file is set, so tls.key_file must be set too.",
    ]);
    expect(problems({ toml: 'tls.key_file = "k.pem"' })).toEqual([
      "tls.key_file is set, so tls.cert_file must be set too.",
    ]);
    expect(problems({ flags: { console_listen: "127.0.0.1:8080" } }).join()).toContain("must differ");
    expect(problems({ flags: { listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" } })).toEqual([]);
  });

  test("require everything without which nobody could send mail", () => {
    const problem = (lines: string) => problems({ toml: `[smtp_server]\n${lines}` }).join(" ");
    const domain = 'domain = "sms.example.com"';
    expect(problem('listen = "127.0.0.1:587"\ntls_listen = "127.0.0.1:465"')).toBe(
      "smtp_server.listen is set, so smtp_server.domain must be set too. " +
        "smtp_server.tls_listen is set, so smtp_server.domain must be set too. " +
        "smtp_server.listen is set, so tls.cert_file or smtp_server.plain_from must be set too. " +
        "smtp_server.tls_listen is set, so tls.cert_file must be set too.",
    );
    expect(problem(`listen = "127.0.0.1:587"\nplain_from = ["10.0.0.0/8"]\n${domain}`)).toBe("");
    for (const wrong of [
      "sms",
      "192.0.2.1",
      "a b.com",
      "-x.com",
      "sms.example.com.",
      "x@sms.example.com",
      "..",
      "سلام.com",
    ])
      expect(problem(`domain = "${wrong}"`)).toContain("smtp_server.domain must be a domain such as sms.example.com");
    expect(problem(`listen = "127.0.0.1:587"\nplain_from = ["10.0.0.0/8"]\ndomain = "a b.com"`)).toBe(
      'peyk.toml line 4: smtp_server.domain must be a domain such as sms.example.com, not "a b.com".',
    );
    expect(problem('listen = "127.0.0.1:8080"')).toContain("they must differ");
  });

  test("require everything that an alert channel needs", () => {
    const alone = ['webhook_url = "https://hooks.example.com/"', 'smtp_server = "mail.example.com:587"'];
    const text = 'sms_to = ["+989121234567"]';
    expect([...alone, text].map((line) => problems({ toml: `[alerts]\n${line}` }).join())).toEqual([
      "alerts.webhook_url is set, so alerts.webhook_secret_file must be set too.",
      "alerts.smtp_server is set, so alerts.mail_from and alerts.mail_to must be set too.",
      "alerts.sms_to is set, so alerts.sms_sender must be set too.",
    ]);
    expect(problems({ toml: `[alerts]\n${text}\nsms_sender = "30001"` })).toEqual([]);
    for (const wrong of ['webhook_url = "http://hooks.example.com/"', 'mail_to = ["nobody"]', 'sms_to = ["0912"]']) {
      expect(problems({ toml: `[alerts]\n${wrong}` })).not.toEqual([]);
    }
  });

  test("warn of an unknown PEYK_ variable and name the nearest one", () => {
    const { warnings } = load({
      env: { PEYK_IDEMPOTENCY_MISMATC: "reject", PEYK_SERVICE_HOST: "10.0.0.1", PEYK_CONFIG: "" },
    });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("Did you mean PEYK_IDEMPOTENCY_MISMATCH?");
  });
});
