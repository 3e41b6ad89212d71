/** Reads a form with files as it arrives, a slice in each turn of the event loop: read at once, 16 MiB held it for up to 0.6 s. */
import { getMultipartBoundary, MultipartParser, type MultipartPart } from "@remix-run/multipart-parser";
import { Slices } from "../../platform/next-turn.ts";
import { untilAborted } from "./body-pieces.ts";

/** A line between parts, RFC 2046 §5.1.1. The parser never ends with one of 256 and more. */
const boundaryLengthMax = 70;
const partHeaderBytesMax = 4 * 1024;
const sliceBytes = 64 * 1024;

export const isMultipart = ({ headers }: Request): boolean => isOfType(headers, "multipart/form-data");
export const isUrlencoded = ({ headers }: Request): boolean => isOfType(headers, "application/x-www-form-urlencoded");

const isOfType = (headers: Headers, type: string): boolean =>
  headers.get("Content-Type")?.slice(0, type.length).toLowerCase() === type;

/** The parts in their order. Throws where it is no form, or one of more parts than `partsMax`, and the reason of `signal`. */
export async function* formParts(
  request: Request,
  partsMax: number,
  signal: AbortSignal,
): AsyncGenerator<MultipartPart> {
  const boundary = getMultipartBoundary(request.headers.get("Content-Type") ?? "")?.trim() ?? "";
  if (boundary === "" || boundary.length > boundaryLengthMax) throw new Error("It has no boundary between its parts.");
  const parser = new MultipartParser(boundary, {
    maxParts: partsMax,
    maxHeaderSize: partHeaderBytesMax,
    // The listener measures the whole.
    maxFileSize: Number.POSITIVE_INFINITY,
  });
  const slices = new Slices();
  for await (const chunk of untilAborted(request.body, signal)) {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      if (!hasEnded(parser)) yield* parser.write(chunk.subarray(from, from + sliceBytes));
      await slices.pause();
    }
  }
  parser.finish();
}

/** What follows the last part, the line break of browsers, belongs to none; in a slice of its own the parser refuses it. */
function hasEnded(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

/** The text of a field with the line breaks that a form shows: a million pairs of CR and LF take 0.1 s. */
export async function partText({ content }: MultipartPart): Promise<string> {
  const decoder = new TextDecoder();
  const slices = new Slices();
  let [text, held] = ["", ""];
  for (const bytes of content) {
    const piece = held + decoder.decode(bytes, { stream: true });
    held = piece.endsWith("\r") ? "\r" : "";
    text += piece.slice(0, piece.length - held.length).replaceAll("\r\n", "\n");
    await slices.pause();
  }
  return text + held + decoder.decode();
}
