/** `peyk credential create --kind intake` and `peyk intake`: a template from a file, a call tried, the last calls, the presets. */
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readIntakeCall } from "../../src/domain/intake/intake-body.ts";
import { parseIntakeFile } from "../../src/domain/intake/intake-file.ts";
import { intakePresetNames, recordedCall } from "../../src/domain/intake/intake-presets.ts";
import { intakeSending } from "../../src/domain/intake/intake-sending.ts";
import { runCli } from "../support/cli.ts";
import { DropInServer } from "../support/drop-in-server.ts";

let server: DropInServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

test("peyk intake creates an intake from a file, tries it, calls it, shows it and changes it", async () => {
  server = await DropInServer.start([]);
  const { folder, keyId, running, url } = server;
  const at = (name: string) => join(folder, name);
  const peyk = (...argv: string[]) => runCli([...argv, "--socket", running.socketPath]);
  const template = { preset: "json", sender: "30001234" };
  writeFileSync(at("app.json"), JSON.stringify(template));
  writeFileSync(at("bad.json"), JSON.stringify({ ...template, text: "{{a b}}" }));
  writeFileSync(at("app.password"), "a-password-of-length\n");
  writeFileSync(at("call.json"), JSON.stringify({ to: "09121234567", text: "سلام", id: "7" }));
  writeFileSync(at("wrong.json"), JSON.stringify({ to: "12", text: "x" }));
  const create = (file: string) =>
    peyk(
      ...["credential", "create", "--key", keyId, "--kind", "intake", "--traffic", "single", "--username", "app"],
      ...["--template", at(file), "--password-file", at("app.password")],
    );
  expect(await create("bad.json")).toMatchObject({ code: 1, err: expect.stringContaining("template.text") });
  expect(await create("app.json")).toMatchObject({ code: 0, out: expect.stringContaining("a-password-of-length") });
  const tried = await peyk("intake", "test", "app", "--body", at("call.json"));
  expect(tried).toMatchObject({ code: 0, err: "" });
  expect(tried.out).toMatch(/1 message[\s\S]*Key +7[\s\S]*\+989121234567[\s\S]*"سلام"/);
  const refused = await peyk("intake", "test", "app", "--body", at("wrong.json"));
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("12 is no mobile number") });
  expect((await peyk("intake", "test", "nobody", "--body", at("call.json"))).code).toBe(1);
  expect((await peyk("intake", "test", "app", "--body", at("call.json"), "--header", "none")).code).toBe(2);
  expect((await peyk("intake", "calls", "app")).out).toContain("no calls");
  const headers = { authorization: "Bearer a-password-of-length", "content-type": "application/json" };
  const call = await fetch(`${url}/in/app`, {
    method: "POST",
    headers,
    body: JSON.stringify({ to: "09121234567", text: "x" }),
  });
  expect(call.status).toBe(200);
  const { out } = await peyk("intake", "calls", "app");
  expect(out).toMatch(/accepted, 1 message +application\/json, \d+ octets\n +to: text of 11\n +text: text of 1\n/);
  writeFileSync(at("app.json"), JSON.stringify({ ...template, to: ["09121234567"], text: "fixed" }));
  expect((await peyk("intake", "update", "cred_1", "--template", at("app.json"))).out).toContain("new template");
  writeFileSync(at("empty.json"), "{}");
  expect((await peyk("intake", "test", "app", "--body", at("empty.json"))).out).toContain('"fixed"');
});

test("each preset is a complete template once a recipient is added", async () => {
  expect((await runCli(["intake", "preset"])).out).toContain("alertmanager");
  for (const name of intakePresetNames) {
    const { out } = await runCli(["intake", "preset", name]);
    const parsed = parseIntakeFile({ to: ["09121234567"], ...JSON.parse(out) });
    expect({ name, parsed }).toEqual({ name, parsed: { options: expect.anything() } });
    expect(parseIntakeFile({ preset: name, to: ["09121234567"] })).toHaveProperty("options");
    const own = "to" in JSON.parse(out) ? parseIntakeFile({ preset: name }) : parsed;
    if (!("options" in own)) throw new Error(name);
    const { body, ...call } = recordedCall(name);
    const header = () => null;
    const received = readIntakeCall(own.options, { ...call, octets: Buffer.from(body), isGarbled: false, header });
    expect(intakeSending(own.options, received).kind).toMatch(/^(messages|code)$/);
  }
  expect((await runCli(["intake", "preset", "nobody"])).code).toBe(2);
});

test("each alert of a group says its own status, and one without words only that", () => {
  const parsed = parseIntakeFile({ preset: "alertmanager", to: ["09121234567"] });
  if (!("options" in parsed)) throw new Error("the preset is wrong");
  const { body, ...call } = recordedCall("alertmanager");
  const [firing] = JSON.parse(body).alerts;
  const alerts = [firing, { ...firing, status: "resolved", labels: { alertname: "Late" }, annotations: {} }];
  const octets = Buffer.from(JSON.stringify({ status: "firing", alerts }));
  const received = readIntakeCall(parsed.options, { ...call, octets, isGarbled: false, header: () => null });
  const sending = intakeSending(parsed.options, received);
  expect(JSON.stringify(sending)).toContain("[firing] DiskFull: The disk is full\\n[resolved] Late: resolved");
});
