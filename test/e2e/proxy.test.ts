import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { selfSigned } from "../support/certificates.ts";
import { freePort } from "../support/free-ports.ts";
import { eventually, PeykProcess } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { describeWith } from "../support/wants.ts";

const example = readFileSync(join(import.meta.dir, "..", "..", "docs", "examples", "nginx.conf"), "utf8");
const nginx = programAt("nginx");
let folder: ReturnType<typeof temporaryFolder>;
let peyk: PeykProcess;
let proxy: Subprocess;
let port: number;

/** The example of the documentation, with this test's ports and certificate. */
async function startProxy(): Promise<void> {
  const { cert, key } = selfSigned("sms.example.com");
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("cert.pem"), cert);
  writeFileSync(at("key.pem"), key);
  mkdirSync(at("tmp"));
  port = await freePort();
  const site = example
    .replace("127.0.0.1:8080", new URL(peyk.url).host)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace(/\/etc\/letsencrypt\S+fullchain.pem/, at("cert.pem"))
    .replace(/\/etc\/letsencrypt\S+privkey.pem/, at("key.pem"));
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${at("tmp")}/${name};`,
  );
  writeFileSync(
    at("nginx.conf"),
    `daemon off; pid ${at("pid")}; error_log stderr; events {} http { access_log off; ${places.join(" ")}\n${site}\n}`,
  );
  proxy = Bun.spawn([nginx ?? "nginx", "-p", folder.path, "-c", at("nginx.conf"), "-e", "stderr"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await eventually(() =>
    statusFrom("127.0.0.9", "good").then(
      () => true,
      () => false,
    ),
  );
}

/** A request with a wrong key through the proxy, from one of the machine's own addresses. */
function statusFrom(localAddress: string, key: string, forwardedFor?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "X-API-Key": key, ...(forwardedFor !== undefined && { "X-Forwarded-For": forwardedFor }) };
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const options = { host: "127.0.0.1", port, path: "/v1/senders", localAddress, headers, agent };
    const asked = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once("error", reject);
    asked.end();
  });
}

describeWith("nginx")("behind nginx with the documented example", () => {
  beforeAll(async () => {
    folder = temporaryFolder();
    peyk = await PeykProcess.start({
      folder: join(folder.path, "data"),
      env: { PEYK_HTTP_TRUSTED_PROXIES: "127.0.0.1", PEYK_HTTP_FAILED_AUTH_PER_MINUTE: "2" },
    });
    await startProxy();
  });
  afterAll(async () => {
    proxy?.kill();
    await proxy?.exited;
    await peyk?.stop();
    folder.remove();
  });

  test("failed keys count by the client's own address, whatever headers the client sends", async () => {
    const bad = (address: string, forwardedFor?: string) => statusFrom(address, "wrong", forwardedFor);
    expect([await bad("127.0.0.2"), await bad("127.0.0.2"), await bad("127.0.0.2")]).toEqual([401, 401, 429]);
    expect(await bad("127.0.0.3")).toBe(401);
    expect([
      await bad("127.0.0.4", "8.8.8.8"),
      await bad("127.0.0.4", "8.8.4.4"),
      await bad("127.0.0.4", "1.1.1.1"),
    ]).toEqual([401, 401, 429]);
    expect(await bad("127.0.0.5", "127.0.0.2")).toBe(401);
  });
});
