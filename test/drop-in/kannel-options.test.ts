/** What a Kannel credential may add to the protocol: a charset of texts that name none, and another path. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { DropInServer } from "../support/drop-in-server.ts";

// A server on a busy machine.
setDefaultTimeout(30_000);

let server: DropInServer;
afterEach(() => server.stop());

const kannel = { kind: "kannel", password: "password-of-shop" } as const;
const accepted = "202 0: Accepted for delivery";
const denied = "403 Authorization failed for sendsms";
const unknown = "404 Not found";

async function sendsms(name: string, more: string, path = "/cgi-bin/sendsms"): Promise<string> {
  const user = `username=${name}&password=password-of-shop&from=30001234&to=09121234567`;
  const answer = await fetch(`${server.url}${path}?${user}&${more}`);
  return `${answer.status} ${await answer.text()}`;
}

test("a credential sets the charset of texts that name none, except UTF-16 by its coding", async () => {
  server = await DropInServer.start([{ ...kannel, name: "old", textCharset: "windows-1256" }]);
  const [persian, utf16] = ["%D3%E1%C7%E3", "%06%33%06%44%06%27%06%45"];
  expect([
    await sendsms("old", `text=${persian}`),
    await sendsms("old", `text=${persian}&coding=0&charset=`),
    await sendsms("old", `text=${encodeURIComponent("سلام")}&charset=utf-8`),
    await sendsms("old", `text=${utf16}&coding=2`),
    await sendsms("old", `text=${utf16}&charset=ucs-2`),
  ]).toEqual(Array(5).fill(accepted));
  expect(server.messages().map(({ text }) => text)).toEqual(Array(5).fill("سلام"));
  await server.operate("PATCH", "/credentials/cred_1", { textCharset: null });
  expect(await sendsms("old", `text=${persian}`)).toBe("400 Charset or body misformed, rejected");
  expect(await sendsms("old", `text=${encodeURIComponent("سلام")}`)).toBe(accepted);
});

test("a credential has a path of its own beside the usual one, until it changes or the credential ends", async () => {
  const shared = { ...kannel, path: "/sms/send" };
  server = await DropInServer.start([
    { ...shared, name: "one" },
    { ...shared, name: "two" },
    { ...kannel, name: "other" },
  ]);
  const at = (name: string, path = "/sms/send") => sendsms(name, "text=x", path);
  expect([await at("one"), await at("two"), await at("other")]).toEqual([accepted, accepted, denied]);
  expect([await at("one", "/cgi-bin/sendsms"), await at("other", "/cgi-bin/sendsms")]).toEqual([accepted, accepted]);
  expect([await at("one", "/sms/send/"), await at("one", "/sms")]).toEqual([unknown, unknown]);
  await server.operate("PATCH", "/credentials/cred_1", { path: "/other.php" });
  expect([await at("one"), await at("one", "/other.php"), await at("two", "/other.php")]).toEqual([
    denied,
    accepted,
    denied,
  ]);
  await server.operate("POST", "/credentials/cred_2/revoke");
  expect(await at("one")).toBe(unknown);
  await server.halt();
  await server.startAgain();
  expect([await at("one"), await at("one", "/other.php")]).toEqual([unknown, accepted]);
  await server.operate("PATCH", "/credentials/cred_1", { path: null });
  expect(await at("one", "/other.php")).toBe(unknown);
});

test("only Kannel credentials have these options, and their path is no other service's", async () => {
  server = await DropInServer.start([]);
  let made = 0;
  const add = (more: object) => server.addCredential({ ...kannel, name: `n${made++}`, ...more });
  const served = ["/send", "/rate", "/balance", "/ping", "/secure/send", "/in/shop", "/cgi-bin/sendsms", "/cgi-bin/x"];
  for (const path of [...served, "/", "", "sms", "/a b", "/a?b", "/é", `/${"a".repeat(100)}`])
    await expect(add({ path })).rejects.toThrow("path");
  for (const textCharset of ["farsi", "", "x".repeat(41)])
    await expect(add({ textCharset })).rejects.toThrow("textCharset");
  await expect(add({ kind: "jasmin", path: "/sms" })).rejects.toThrow("path");
  await expect(add({ kind: "jasmin", textCharset: "utf-8" })).rejects.toThrow("textCharset");
  for (const path of [`/${"a".repeat(99)}`, "/sendsms", "/~shop/send-sms.php"]) await add({ path });
});
