/** A callback's request as it goes over the wire (RFC 9112 §3). */
import { isIP } from "node:net";
import type { CallbackRequest } from "./transport.ts";

export function requestBytes({ method = "POST", isPlain, host, port, target, headers, body }: CallbackRequest): Buffer {
  const isOwnPort = port === (isPlain ? 80 : 443);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}${isOwnPort ? "" : `:${port}`}`;
  let head = `${method} ${target} HTTP/1.1\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `Host: ${authority}\r\nAccept-Encoding: identity\r\n`;
  if (method !== "GET") head += `Content-Length: ${body.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`), body]);
}
