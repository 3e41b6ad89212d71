/** A callback's request over the wire. */
import { expect, test } from "bun:test";
import { requestBytes } from "../../src/webhooks/transport/request-bytes.ts";

test("a character outside Latin-1 in a header becomes UTF-8, and never a line break", () => {
  // The low octets of these letters are CR and LF.
  const headers = { "X-From": "č\u010aX-Other: 1" };
  const body = new TextEncoder().encode("{}");
  const destination = { isPlain: true, address: "192.0.2.1", host: "hooks.lan", port: 80, target: "/in" };
  const [head, sent] = requestBytes({ ...destination, headers, body })
    .toString("utf8")
    .split("\r\n\r\n");
  expect(head?.split("\r\n")).toEqual([
    "POST /in HTTP/1.1",
    "X-From: č\u010aX-Other: 1",
    "Host: hooks.lan",
    "Accept-Encoding: identity",
    "Content-Length: 2",
  ]);
  expect(sent).toBe("{}");
});
