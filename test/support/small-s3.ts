/**
 * A little S3 of one bucket in memory, for what a real one does not do when asked: it checks each signature by its own
 * reckoning of AWS's rules, and refuses, redirects, stalls or forgets as a test says. Real ones: test/peers/buckets.test.ts.
 */
import { createHash, createHmac } from "node:crypto";

export type Misbehaviour = (request: { operation: string; key: string; count: number }) => Response | "cut" | null;

export interface SmallS3 {
  endpoint: string;
  objects: Map<string, Buffer>;
  /** As S3 tells them of an upload in parts, by key. */
  sums: Map<string, { sum: string; tag: string }>;
  /** Of each unfinished upload, by its id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** `begin`, `put`, … in order. */
  operations: string[];
  misbehave: Misbehaviour;
  /** False: as storage without checksums, and with other tags than S3's. */
  tellsSums: boolean;
  stop(): Promise<void>;
}

export const smallS3Key = { id: "AKSMALL", secret: "the/secret+of=small", bucket: "copies" };
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const md5 = (bytes: Buffer) => createHash("md5").update(bytes).digest();

export const s3Error = (status: number, code: string, message = "", headers: Record<string, string> = {}) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`, {
    status,
    headers: { "Content-Type": "application/xml", ...headers },
  });

/** AWS Signature Version 4, as its documentation describes it. */
function isSigned(request: Request, url: URL, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.get("authorization") ?? "",
    );
  if (given === null || request.headers.get("x-amz-content-sha256") !== sha256(body).toString("hex")) return false;
  const [, id, day = "", region = "", names = "", signature] = given;
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const headers = names.split(";").map((name) => `${name}:${request.headers.get(name)?.trim() ?? ""}\n`);
  const path = decodeURIComponent(url.pathname).split("/").map(encode).join("/");
  const canonical = [request.method, path, query.join("&"), headers.join(""), names, sha256(body).toString("hex")];
  const scope = `${day}/${region}/s3/aws4_request`;
  const date = request.headers.get("x-amz-date") ?? "";
  const told = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical.join("\n")).toString("hex")].join("\n");
  const keyed = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (key, text) => createHmac("sha256", key).update(text).digest(),
    `AWS4${smallS3Key.secret}`,
  );
  return id === smallS3Key.id && createHmac("sha256", keyed).update(told).digest("hex") === signature;
}

const sumOfSums = (hash: "sha256" | "md5", coding: "base64" | "hex", parts: readonly Buffer[]) => {
  const sums = parts.map((part) => createHash(hash).update(part).digest());
  return `${createHash(hash).update(Buffer.concat(sums)).digest(coding)}-${parts.length}`;
};

function operationOf({ method }: Request, { searchParams: query }: URL): string {
  if (method === "GET") return query.has("list-type") ? "list" : query.has("uploads") ? "uploads" : "get";
  if (method === "POST") return query.has("uploads") ? "begin" : "complete";
  if (method === "DELETE") return query.has("uploadId") ? "giveUp" : "delete";
  return method === "PUT" ? "put" : "head";
}

export function smallS3(tls?: { cert: string; key: string }): SmallS3 {
  const s3: Omit<SmallS3, "endpoint" | "stop"> = {
    objects: new Map(),
    sums: new Map(),
    uploads: new Map(),
    operations: [],
    misbehave: () => null,
    tellsSums: true,
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(tls && { tls }),
    async fetch(request, self) {
      const url = new URL(request.url);
      const operation = operationOf(request, url);
      const key = decodeURIComponent(url.pathname).replace(`/${smallS3Key.bucket}/`, "");
      s3.operations.push(operation);
      const count = s3.operations.filter((one) => one === operation).length;
      const instead = s3.misbehave({ operation, key, count });
      if (instead === "cut") {
        self.stop(true);
        return new Response();
      }
      if (instead !== null) return instead;
      const body = Buffer.from(await request.arrayBuffer());
      return isSigned(request, url, body)
        ? answer(s3, operation, key, url, request, body)
        : s3Error(403, "SignatureDoesNotMatch", "The signature is another one.");
    },
  });
  return Object.assign(s3, {
    endpoint: `${tls ? "https" : "http"}://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  });
}

const xml = (text: string, headers: Record<string, string> = {}) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "Content-Type": "application/xml", ...headers },
  });

/** Two objects to a page, so that pages are turned. */
function listed(s3: Pick<SmallS3, "objects">, { searchParams: query }: URL): Response {
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
  const from = Number(query.get("continuation-token") ?? 0);
  const page = keys.slice(from, from + 2).map((key) => {
    const size = s3.objects.get(key)?.length ?? 0;
    return `<Contents><Key>${Bun.escapeHTML(key)}</Key><Size>${size}</Size></Contents>`;
  });
  const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : "";
  return xml(`<ListBucketResult>${page.join("")}${next}</ListBucketResult>`);
}

function answer(
  s3: Omit<SmallS3, "endpoint" | "stop">,
  operation: string,
  key: string,
  url: URL,
  request: Request,
  body: Buffer,
): Response {
  const id = url.searchParams.get("uploadId") ?? "";
  const upload = s3.uploads.get(id);
  const object = s3.objects.get(key);
  switch (operation) {
    case "list":
      return listed(s3, url);
    case "uploads": {
      // Two to a page, as of objects; by key and then by id.
      const marker = `${url.searchParams.get("key-marker") ?? ""} ${url.searchParams.get("upload-id-marker") ?? ""}`;
      const all = [...s3.uploads].map(([one, { key }]) => ({ one, key, at: `${key} ${one}` }));
      const left = all.filter(({ at }) => at > marker).sort((a, b) => (a.at < b.at ? -1 : 1));
      const rows = left
        .slice(0, 2)
        .map(
          ({ one, key }) =>
            `<Upload><Key>${key}</Key><UploadId>${one}</UploadId><Initiated>${new Date().toISOString()}</Initiated></Upload>`,
        );
      const { key: lastKey = "", one: lastId = "" } = left[1] ?? {};
      const next = `<NextKeyMarker>${lastKey}</NextKeyMarker><NextUploadIdMarker>${lastId}</NextUploadIdMarker>`;
      const head = `<IsTruncated>${left.length > 2}</IsTruncated>${left.length > 2 ? next : ""}`;
      return xml(`<ListMultipartUploadsResult>${head}${rows.join("")}</ListMultipartUploadsResult>`);
    }
    case "begin": {
      const one = `up-${s3.operations.length}`;
      s3.uploads.set(one, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${one}</UploadId></InitiateMultipartUploadResult>`);
    }
    case "put":
      if (upload === undefined) return s3Error(404, "NoSuchUpload");
      if (request.headers.get("x-amz-checksum-sha256") !== sha256(body).toString("base64"))
        return s3Error(400, "BadDigest");
      upload.parts.set(Number(url.searchParams.get("partNumber")), body);
      return new Response("", { headers: { ETag: `"${md5(body).toString("hex")}"` } });
    case "complete": {
      if (upload === undefined) return s3Error(404, "NoSuchUpload");
      s3.uploads.delete(id);
      const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
      s3.objects.set(key, Buffer.concat(parts));
      s3.sums.set(key, { sum: sumOfSums("sha256", "base64", parts), tag: sumOfSums("md5", "hex", parts) });
      return xml("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
    }
    case "giveUp":
      return s3.uploads.delete(id) ? new Response(null, { status: 204 }) : s3Error(404, "NoSuchUpload");
    case "delete":
      s3.objects.delete(key);
      return new Response(null, { status: 204 });
    default: {
      if (object === undefined) return s3Error(404, "NoSuchKey");
      const { sum = "", tag = "" } = (s3.tellsSums && s3.sums.get(key)) || {};
      const sums = { ETag: `"${tag || "of-its-own"}"`, ...(sum && { "x-amz-checksum-sha256": sum }) };
      const headers = { ...sums, "Content-Length": String(object.length) };
      return new Response(operation === "head" ? null : new Uint8Array(object), { headers });
    }
  }
}
