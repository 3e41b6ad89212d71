import { expect, test } from "bun:test";
import { defaultSettings, type Settings } from "../../src/config/settings.ts";
import { settingsSumOf } from "../../src/config/settings-sum.ts";

test("nodes of a cluster may differ only in addresses, folders and files", () => {
  const settings = defaultSettings();
  const changed = (change: Partial<Settings>) => settingsSumOf({ ...settings, ...change }) !== settingsSumOf(settings);
  const { smppServer, dropIn } = settings;
  expect(changed({ listen: "10.0.0.2:80", consoleListen: "10.0.0.2:81", portalListen: "10.0.0.2:82" })).toBe(false);
  expect(changed({ smppServer: { ...smppServer, listen: "10.0.0.2:1", tlsListen: "10.0.0.2:2" } })).toBe(false);
  expect(changed({ dropIn: { ...dropIn, listen: "10.0.0.2:3" } })).toBe(false);
  expect(changed({ smppServer: { ...smppServer, connections: 7 } })).toBe(true);
  expect(changed({ defaultTimeZone: "Asia/Tehran" })).toBe(settings.defaultTimeZone !== "Asia/Tehran");
});
