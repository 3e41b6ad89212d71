/** Reads a request's body, with a size limit and a deadline. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import type { HeldBody } from "./body-budget.ts";

/** Time for the whole body to arrive. The listener's idle timeout must be longer, or the answer could not be sent. */
export const bodyArrivesMsMax = 20_000;
const sweepEveryMs = 1_000;

const tooLarge = (bytesMax: number) =>
  new ApiError("payload_too_large", { message: `The body may have at most ${bytesMax} bytes.` });
const incomplete = () => new ApiError("malformed_json", { message: "The body ended before it was complete." });

/** The rest of the body may still arrive, so the connection cannot carry another request. */
export class BodyTimeout extends ApiError {
  constructor() {
    super("request_timeout");
  }
}

/** Null without one. Repeats arrive joined by commas; the parser lets only equal ones through. */
export function declaredLength(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number.parseInt(length, 10);
}

/**
 * Checks what the headers say about the body, if there is one: application/json in UTF-8, no encoding, within the
 * limit. Throws `unsupported_media_type`, `payload_too_large`.
 */
export function assertBodyHeaders(headers: Headers, bytesMax: number): void {
  const length = declaredLength(headers);
  const hasBody = length === null ? headers.get("transfer-encoding") !== null : length > 0;
  if (!hasBody) return;
  assertJson(headers);
  if (length !== null && length > bytesMax) throw tooLarge(bytesMax);
}

function assertJson(headers: Headers): void {
  const type = headers.get("content-type");
  const isJson = type === "application/json" || (type !== null && isJsonInUtf8(type));
  if (!isJson || headers.get("content-encoding") !== null) throw new ApiError("unsupported_media_type");
}

/** Longer than any type that means JSON; longer headers are not examined. */
const contentTypeCharactersMax = 256;

/** RFC 9110, 8.3.1: type, then parameters; JSON has no charset but UTF-8. */
function isJsonInUtf8(type: string): boolean {
  if (type.length > contentTypeCharactersMax) return false;
  const [essence = "", ...parameters] = type.toLowerCase().split(";");
  return essence.trim() === "application/json" && parameters.every(keepsUtf8);
}

function keepsUtf8(parameter: string): boolean {
  const [name = "", ...value] = parameter.split("=");
  if (name.trim() !== "charset" || value.length === 0) return true;
  return /^(?:utf-8|"utf-8")$/.test(value.join("=").trim());
}

export type BodyReader = ReturnType<typeof bodyReader>;

interface Arrival {
  deadlineMs: number;
  reject(reason: ApiError): void;
  /** Stops reading; null if nothing is being read. */
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
}

/**
 * All bodies being read share one timer: a timer per request cost more than reading its body. Arrivals are in order of
 * their deadlines, since all get the same time.
 */
export function bodyReader(clock: Clock) {
  const arrivals = new Set<Arrival>();
  let sweeping = false;

  function sweep(): void {
    sweeping = false;
    const now = clock.monotonic();
    for (const arrival of arrivals) {
      if (arrival.deadlineMs > now) break;
      arrivals.delete(arrival);
      arrival.reject(new BodyTimeout());
      arrival.reader?.cancel().catch(() => {});
    }
    if (arrivals.size > 0) sweepLater();
  }

  function sweepLater(): void {
    sweeping = true;
    clock.after(sweepEveryMs, sweep);
  }

  function inTime<T>(reading: Promise<T>, reader: Arrival["reader"]): Promise<T> {
    return new Promise((resolve, reject) => {
      const arrival = { deadlineMs: clock.monotonic() + bodyArrivesMsMax, reject, reader };
      arrivals.add(arrival);
      if (!sweeping) sweepLater();
      reading.then(
        (value) => {
          arrivals.delete(arrival);
          resolve(value);
        },
        (reason: unknown) => {
          arrivals.delete(arrival);
          reject(reason instanceof ApiError ? reason : incomplete());
        },
      );
    });
  }

  return {
    /**
     * Reads a body whose headers passed. Budget for a declared length is taken with the first octet, for a chunked body
     * as it arrives, and so for a declared length above `reservedMax`. Throws `payload_too_large`, `request_timeout`,
     * `malformed_json` if it ends early, and as `HeldBody.add`.
     */
    read(request: Request, bytesMax: number, held: HeldBody, reservedMax = bytesMax): Promise<Uint8Array<ArrayBuffer>> {
      const length = declaredLength(request.headers);
      if (length !== null && length <= reservedMax) {
        held.add(length);
        return inTime(request.bytes(), null);
      }
      if (request.body === null) return Promise.resolve(new Uint8Array(0));
      const reader = request.body.getReader();
      return inTime(readCounting(reader, bytesMax, held), reader);
    },
  };
}

/** The length of a chunked body is known only at its end. */
async function readCounting(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
  held: HeldBody,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      bytes += chunk.value.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      held.add(chunk.value.length);
      chunks.push(chunk.value);
    }
  } catch (error) {
    await reader.cancel();
    throw error;
  }
  return Bun.concatArrayBuffers(chunks, bytesMax, true);
}
