/** A bucket of S3-compatible storage: requests that are signed, sent to a checked address, and explained if refused. */
import type { Settings } from "../config/settings.ts";
import { createAddressPolicy, parseIpAddress } from "../domain/address-policy.ts";
import { trustedAuthorities } from "../platform/authorities.ts";
import { readCertificates } from "../platform/ca-file.ts";
import { type Clock, sleep, within } from "../platform/clock.ts";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { readUpTo } from "../platform/response-body.ts";
import { SecretFileUnusable } from "../platform/secret-file.ts";
import { DestinationGuard, DestinationNotAllowed } from "../webhooks/destination-guard.ts";
import { systemResolver } from "../webhooks/resolver.ts";
import { readAccessKey } from "./access-key.ts";
import { htmlWords, isPage, TargetFailed, targetRefusal, xmlTexts } from "./refusal.ts";

export type TargetSettings = Settings["backupTarget"];

interface TargetRequest {
  method?: "GET" | "PUT" | "POST" | "DELETE" | "HEAD";
  /** Empty: the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer> | string;
}

export interface StoredObject {
  key: string;
  bytes: number;
}

const attemptsMax = 5;
const firstRetryMs = 1_000;
/** For all of a part to go, and for a piece of an object to come. */
const requestMsMax = 10 * 60_000;
const headMsMax = 60_000;
const objectsMax = 100_000;
/** A page has a thousand of them; of storage that gives fewer, so many count. */
const pageObjectsMin = 100;
/** A page of a list, with a thousand names. */
const answerBytesMax = 4 * 1024 * 1024;

/** What a bucket is sent within one run of a command. */
export class TargetBucket {
  readonly #settings: TargetSettings;
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #guard: DestinationGuard;
  readonly #authorities: string[];

  /** @throws SecretFileUnusable, CertificateFileUnusable */
  constructor(settings: TargetSettings, clock: Clock) {
    const { endpoint, bucket, pathStyle, caFile } = settings;
    if (endpoint === null) throw new TargetFailed("There is no backup_target.endpoint in the settings.");
    this.#settings = settings;
    this.#clock = clock;
    this.#url = new URL(endpoint);
    if (pathStyle) this.#url.pathname = `/${bucket}/`;
    else this.#url.hostname = `${bucket}.${this.#url.hostname}`;
    this.#authorities = trustedAuthorities(caFile === null ? null : readCertificates(caFile, "backup_target.ca_file"));
    const policy = createAddressPolicy();
    this.#guard = new DestinationGuard({ resolver: systemResolver, policy, ownAddresses: () => [] });
  }

  /** Every object whose key begins with the prefix. */
  async list(): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    for (let [after, pages] = ["", 1]; ; pages += 1) {
      const query = { "list-type": "2", prefix: this.#settings.prefix, ...(after && { "continuation-token": after }) };
      const page = await this.#text("list the bucket", { query });
      if (!page.includes("<ListBucketResult")) throw new TargetFailed(htmlWords(this.#url.host));
      for (const one of page.split("<Contents>").slice(1)) {
        const { Key: key, Size: size } = xmlTexts(one, ["Key", "Size"]);
        found.push({ key, bytes: Number(size) });
      }
      after = xmlTexts(page, ["NextContinuationToken"]).NextContinuationToken;
      if (after === "") return found;
      if (Math.max(found.length, pages * pageObjectsMin) > objectsMax)
        throw new TargetFailed(`More than ${objectsMax} objects lie under the prefix, or its list has no end.`);
    }
  }

  /** Uploads that were begun under the prefix and neither completed nor given up. */
  async openUploads(): Promise<{ key: string; id: string; begunAt: number }[]> {
    const found: { key: string; id: string; begunAt: number }[] = [];
    for (let [after, pages] = [{}, 1]; ; pages += 1) {
      const query = { uploads: "", prefix: this.#settings.prefix, ...after };
      const page = await this.#text("list unfinished uploads", { query });
      const [head = "", ...uploads] = page.split("<Upload>");
      for (const one of uploads) {
        const { Key: key, UploadId: id, Initiated: begun } = xmlTexts(one, ["Key", "UploadId", "Initiated"]);
        found.push({ key, id, begunAt: Date.parse(begun) });
      }
      const { NextKeyMarker: key, NextUploadIdMarker: id } = xmlTexts(head, ["NextKeyMarker", "NextUploadIdMarker"]);
      // Those of the pages after are given up next time.
      if (!head.includes("<IsTruncated>true<") || key === "" || pages * pageObjectsMin > objectsMax) return found;
      after = { "key-marker": key, "upload-id-marker": id };
    }
  }

  /** The id of a new upload in parts. */
  async begin(key: string): Promise<string> {
    const headers = { "x-amz-checksum-algorithm": "SHA256", "content-type": "application/octet-stream" };
    const answer = await this.#text("begin an upload", { method: "POST", key, query: { uploads: "" }, headers });
    const { UploadId: id } = xmlTexts(answer, ["UploadId"]);
    if (id === "") throw new TargetFailed(htmlWords(this.#url.host));
    return id;
  }

  /** The tag that the target gave to the part. `sum`: its sha256 in base64. */
  async put(key: string, id: string, number: number, part: Uint8Array<ArrayBuffer>, sum: string): Promise<string> {
    const query = { partNumber: String(number), uploadId: id };
    const headers = { "x-amz-checksum-sha256": sum };
    const response = await this.#send(`take part ${number}`, { method: "PUT", key, query, headers, body: part });
    await response.body?.cancel();
    return response.headers.get("etag") ?? "";
  }

  async complete(key: string, id: string, parts: readonly { tag: string; sum: Buffer }[]): Promise<void> {
    const listed = parts.map(
      ({ tag, sum }, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${Bun.escapeHTML(tag)}</ETag><ChecksumSHA256>${sum.toString("base64")}</ChecksumSHA256></Part>`,
    );
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join("")}</CompleteMultipartUpload>`;
    const answer = await this.#text("complete the upload", { method: "POST", key, query: { uploadId: id }, body });
    // The target may find out after its head has gone.
    if (answer.includes("<Error>")) throw targetRefusal(this.#url.host, "complete the upload", 200, answer);
  }

  async giveUp(key: string, id: string): Promise<void> {
    await this.#text("give up an upload", { method: "DELETE", key, query: { uploadId: id } });
  }

  async head(key: string): Promise<{ bytes: number; sum: string; tag: string }> {
    const headers = { "x-amz-checksum-mode": "ENABLED" };
    const { headers: told } = await this.#send("show the copy", { method: "HEAD", key, headers });
    const sum = told.get("x-amz-checksum-sha256") ?? "";
    return { bytes: Number(told.get("content-length")), sum, tag: told.get("etag")?.replaceAll('"', "") ?? "" };
  }

  async delete(key: string): Promise<void> {
    await this.#text("delete a copy", { method: "DELETE", key });
  }

  /** The content of an object; throws where it stalls. */
  async get(key: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { body } = await this.#send("hand out the copy", { key });
    if (body === null) throw new TargetFailed(`${this.#url.host} sent no content.`);
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (out) => {
        const { done, value } = await this.#within(headMsMax, () => reader.read()).catch((reason: unknown) => {
          throw failureOf(this.#url.host, reason);
        });
        if (done) out.close();
        else out.enqueue(value);
      },
      cancel: () => reader.cancel(),
    });
  }

  #within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    return within(this.#clock, ms, work(stop.signal), () => {
      stop.abort();
      return new TargetFailed(`${this.#url.host} did not answer within ${ms / 1_000} s.`, "", true);
    });
  }

  /** Its body as text, as far as it is read. */
  async #text(what: string, request: TargetRequest): Promise<string> {
    return this.#within(headMsMax * attemptsMax, async () => bodyOf(await this.#send(what, request)));
  }

  /** Tries again what may be over soon. */
  async #send(what: string, request: TargetRequest): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        const wait = request.body instanceof Uint8Array ? requestMsMax : headMsMax;
        const response = await this.#within(wait, (signal) => this.#fetch(request, attempt, signal));
        if (response.ok) return response;
        throw await this.#refusal(what, response);
      } catch (error) {
        const failure = failureOf(this.#url.host, error);
        if (!failure.isPassing || attempt === attemptsMax) throw failure;
        await sleep(this.#clock, firstRetryMs * 2 ** (attempt - 1));
      }
    }
  }

  async #refusal(what: string, response: Response): Promise<TargetFailed> {
    const told = await bodyOf(response);
    const words = isPage(response) ? "" : told;
    const at = Date.parse(response.headers.get("date") ?? "");
    const location = response.headers.get("location");
    const aheadMs = Number.isNaN(at) ? null : this.#clock.now() - at;
    return targetRefusal(this.#url.host, what, response.status, words, { aheadMs, location, isPage: isPage(response) });
  }

  async #fetch(
    { method = "GET", key = "", query, headers, body }: TargetRequest,
    attempt: number,
    signal: AbortSignal,
  ) {
    const { AwsV4Signer } = await import("aws4fetch");
    const url = new URL(this.#url);
    url.pathname += key;
    url.search = new URLSearchParams(query).toString();
    const { keyFile, region } = this.#settings;
    const sum = new Bun.CryptoHasher("sha256").update(body ?? "").digest("hex");
    const datetime = new Date(this.#clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const signed = await new AwsV4Signer({
      ...readAccessKey(keyFile),
      method,
      url: url.href,
      service: "s3",
      region,
      datetime,
      headers: { ...headers, "x-amz-content-sha256": sum },
    }).sign();
    const { host, address } = await this.#addressFor(url, attempt);
    signed.headers.set("Host", url.host);
    signed.headers.set("Accept-Encoding", "identity");
    const dialled = new URL(signed.url);
    dialled.hostname = address.includes(":") ? `[${address}]` : address;
    return fetch(dialled.href, {
      method,
      headers: signed.headers,
      body: body ?? null,
      signal,
      redirect: "manual",
      proxy: "",
      keepalive: false,
      decompress: false,
      ...(url.protocol === "https:" && {
        tls: { ca: this.#authorities, rejectUnauthorized: true, ...(host !== address && { serverName: host }) },
      }),
    });
  }

  /** Each attempt takes the next one. @throws TargetFailed */
  async #addressFor({ hostname }: URL, attempt: number): Promise<{ host: string; address: string }> {
    const host = hostname.replaceAll(/^\[|\]$/g, "");
    const isAddress = parseIpAddress(host) !== null;
    const destination = { href: "", target: "", port: 0, host, isAddress, isListed: true, isTrusted: false };
    const addresses = await this.#guard.addressesOf(destination).catch((reason: unknown) => {
      if (!(reason instanceof DestinationNotAllowed)) throw reason;
      throw new TargetFailed(`${reason.message}.`, "", reason.reason === "resolver_failed");
    });
    return { host, address: addresses[(attempt - 1) % addresses.length] ?? host };
  }
}

function failureOf(host: string, reason: unknown): TargetFailed {
  if (reason instanceof TargetFailed) return reason;
  if (reason instanceof SecretFileUnusable) return new TargetFailed(`${reason.message}.`);
  const code = errorCode(reason);
  return new TargetFailed(`${host} cannot be reached: ${errorMessage(reason)}${code && ` (${code})`}`, code, true);
}

const bodyOf = async (response: Response): Promise<string> =>
  (await readUpTo(response, answerBytesMax)).toString("utf8");
