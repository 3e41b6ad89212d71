/** Every parser of octets that a stranger chose: customers, carriers, phones, receivers of callbacks, browsers. A test keeps the list complete. */

import { parseMoment, parseNumber, parseWholeNumber } from "../../src/console/format/input.ts";
import { lookIn } from "../../src/console/page/cookies.ts";
import { createAddressPolicy, parseIpAddress } from "../../src/domain/address-policy.ts";
import { parseAddress } from "../../src/domain/address-ranges.ts";
import { clientAddress } from "../../src/domain/client-address.ts";
import { countriesOf } from "../../src/domain/country.ts";
import { parseCallbackUrl, parseDestination, parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import { decodeGsm7 } from "../../src/domain/gsm7.ts";
import { canonicalJson, isIdempotencyKey } from "../../src/domain/idempotency.ts";
import { readIntakeCall } from "../../src/domain/intake/intake-body.ts";
import { parseOperatorJson } from "../../src/domain/json-limits.ts";
import { mailMessage, ownWords } from "../../src/domain/mail-text.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { readCode } from "../../src/domain/otp.ts";
import { normaliseAddress, parseMobileNumber, validNumbers } from "../../src/domain/phone-number.ts";
import { readRawFields } from "../../src/domain/raw-fields.ts";
import { retryAfterMs } from "../../src/domain/retry-after.ts";
import { parseSmppTime } from "../../src/domain/smpp-time.ts";
import { keywordReader } from "../../src/domain/suppression.ts";
import { parseTemplate } from "../../src/domain/template.ts";
import { measureText, splitText } from "../../src/domain/text.ts";
import { urlencodedFields } from "../../src/domain/urlencoded-fields.ts";
import { sendsmsText } from "../../src/drop-in/kannel/sendsms.ts";
import { parseIsoTime } from "../../src/http/iso-time.ts";
import { parseRequestJson } from "../../src/http/request-json.ts";
import { fieldsOfBody } from "../../src/messaging/intake/intake-calls.ts";
import { readDraft, readDraftContent, readRecipient } from "../../src/messaging/messages/draft.ts";
import { defaultRules, outcomeOfAnswer } from "../../src/providers/http/answer.ts";
import { decodeInbound, decodeReceipts } from "../../src/providers/http/callbacks.ts";
import { decodeCharset } from "../../src/providers/http/charset.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { readInbound } from "../../src/providers/smpp/inbound.ts";
import { describePdu } from "../../src/providers/smpp/pdu-words.ts";
import { readFields, readReceipt } from "../../src/providers/smpp/receipt.ts";
import { decodeSmscText } from "../../src/smpp/charset.ts";
import { decodeDelivery, readFieldsOf, readMessageId, readQueryAnswer } from "../../src/smpp/codec.ts";
import { decodeText, readCodedContent } from "../../src/smpp/coded-content.ts";
import { readDelivery } from "../../src/smpp/deliver-frame.ts";
import { FrameReader } from "../../src/smpp/frame-reader.ts";
import {
  readBindRequest,
  readCancelRequest,
  readDataRequest,
  readQueryRequest,
  readSubmitRequest,
} from "../../src/smpp-server/customer-requests.ts";
import { ResponseReader } from "../../src/webhooks/transport/response-reader.ts";

export interface Parser {
  /** As `folder/file.ts name`. */
  name: string;
  /** The function to call, repeatedly: only the call is measured. */
  prepare(octets: Buffer): () => unknown;
  /** Larger inputs are refused before they reach it. */
  octetsMax?: number;
}

const now = Date.UTC(2026, 0, 5);
const vendorTags = { key: 0x1401, passed: new Set([0x1401, 0x1500]) };
const text = (name: string, parse: (text: string) => unknown, octetsMax?: number): Parser => ({
  name,
  prepare: (octets) => () => parse(octets.toString("utf8")),
  ...(octetsMax !== undefined && { octetsMax }),
});
const octets = (name: string, parse: (octets: Buffer) => unknown, octetsMax?: number): Parser => ({
  name,
  prepare: (octets) => () => parse(octets),
  ...(octetsMax !== undefined && { octetsMax }),
});

/** A PDU of any command with this body: both SMPP sides take 64 KB. */
const frames = (name: string, commandId: number, parse: (frame: Buffer) => unknown): Parser =>
  octets(name, (body) => {
    const frame = Buffer.concat([Buffer.alloc(16), body]);
    frame.writeUInt32BE(frame.length, 0);
    frame.writeUInt32BE(commandId, 4);
    return parse(frame);
  });

const coded = (body: Buffer) => ({
  source: { ton: 1, npi: 1, value: "989121234567" },
  destination: { ton: 1, npi: 1, value: "30001" },
  ...{ esmClass: 0x40, dataCoding: 0, content: body, segmentation: null },
});

const receiptRules = (() => {
  const file = {
    request: { url: "http://carrier.lan/", body: { json: { to: "{{recipient}}", text: "{{text}}" } } },
    receipts: { each: "reports", id: "id", state: "state", delivered: ["D"], failed: { F: "undeliverable" } },
    inbound: { sender: "from", receiver: "to", text: "text", id: "id", charset: "charset" },
    callbackUrl: "http://127.0.0.1:8080/callbacks/carrier",
    callbackSecret: "a-secret-of-the-fuzz",
  };
  const parsed = parseHttpOptions(file);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const { receipts, inbound } = parsed.options;
  if (receipts === null || inbound === null) throw new Error("the rules of the fuzz have no callbacks");
  return { receipts, inbound };
})();

/** One of several ways to read the same octets, chosen by the first of them. */
function chosen<Way>(octets: Uint8Array | string, ways: readonly [Way, ...Way[]]): Way {
  const first = typeof octets === "string" ? octets.charCodeAt(0) : octets[0];
  return ways[(first ?? 0) % ways.length] ?? ways[0];
}

const draftRules = {
  ...{ defaultRegion: "IR", numbers: validNumbers, countries: countriesOf(["IR"]) },
  ...{ defaultSender: "30001", isSender: (spelling: string) => spelling === "30001", at: now },
};
const draftOf = (typed: string) => ({
  ...{ sender: [typed], recipient: [typed], text: typed, clientReference: typed, class: messageClasses.single },
});

const calls = (body: string) => {
  const contentType = chosen(body, ["application/json", "application/x-www-form-urlencoded", "text/plain"]);
  return { query: contentType === "application/json" ? "" : body, contentType, body };
};

const cookies = (value: string): Request => {
  const header = value.replace(/[^\x20-\x7e]/g, "x");
  return new Request("http://localhost/", { headers: { Cookie: header } });
};

const forwarded = clientAddress(["127.0.0.1/32"]);
const trusted = parseTrustedDestinations(["hooks.lan:443"]);
createAddressPolicy();
interface IntakeForm {
  kind: "json" | "form" | "auto";
  contentType: string;
}
const intakeForms: readonly [IntakeForm, ...IntakeForm[]] = [
  { kind: "json", contentType: "application/json" },
  { kind: "form", contentType: "application/x-www-form-urlencoded" },
  { kind: "auto", contentType: "multipart/form-data; boundary=x" },
];
/** The API's field allows 64 characters. */
const typedCodeOctetsMax = 64 * 4;
const headerOctetsMax = 16 * 1024;
const fieldOctetsMax = 8 * 1024;

export const parsers: readonly Parser[] = [
  text("domain/urlencoded-fields.ts urlencodedFields", (encoded) => urlencodedFields(encoded, 1_000)),
  text("domain/raw-fields.ts readRawFields", (encoded) => readRawFields(encoded, 64)),
  octets("drop-in/kannel/text.ts sendsmsText", (body) => sendsmsText(Buffer.from(body), chosen(body, [0, 2]), "")),
  octets("http/request-json.ts parseRequestJson", parseRequestJson),
  octets("domain/json-limits.ts parseOperatorJson", parseOperatorJson),
  text("domain/idempotency.ts canonicalJson", (body) => canonicalJson(jsonOr(body))),
  text("domain/idempotency.ts isIdempotencyKey", isIdempotencyKey, headerOctetsMax),
  text("http/iso-time.ts parseIsoTime", parseIsoTime),
  text("messaging/intake/intake-calls.ts fieldsOfBody", (body) => fieldsOfBody(jsonOr(body))),
  octets("domain/intake/intake-body.ts readIntakeCall", (body) => {
    const { kind, contentType } = chosen(body, intakeForms);
    readIntakeCall(
      { format: { kind }, charset: "utf-8" },
      { query: "", isGarbled: false, contentType, octets: body, header: () => null },
    );
  }),
  text("domain/client-address.ts clientAddress", (header) => forwarded("127.0.0.1", header), headerOctetsMax),
  text("domain/address-policy.ts parseIpAddress", parseIpAddress, headerOctetsMax),
  text("domain/address-ranges.ts parseAddress", parseAddress, headerOctetsMax),
  text("domain/destination-url.ts parseDestination", (url) => parseDestination(url, trusted)),
  text("domain/destination-url.ts parseCallbackUrl", (url) => parseCallbackUrl(url, ["http://10.0.0.5:8000"])),
  text("domain/phone-number.ts parseMobileNumber", (number) => parseMobileNumber(number, "IR")),
  text("domain/mail-text.ts mailMessage", (body) =>
    mailMessage("{{subject}}: {{text}}", { subject: body.slice(0, 1_000), text: ownWords(body) }, 3),
  ),
  text("messaging/messages/draft.ts readRecipient", (number) => readRecipient([number, number], draftRules)),
  text("messaging/messages/draft.ts readDraftContent", (typed) => readDraftContent(draftOf(typed), draftRules)),
  text("messaging/messages/draft.ts readDraft", (typed) => readDraft(draftOf(typed), draftRules)),
  text("domain/phone-number.ts normaliseAddress", (number) => normaliseAddress(number, "IR")),
  text("domain/otp.ts readCode", readCode, typedCodeOctetsMax),
  text("domain/template.ts parseTemplate", parseTemplate),
  text("domain/suppression.ts keywordReader", keywordReader(["لغو"], ["شروع"])),
  text("domain/text.ts measureText", measureText),
  text("domain/text.ts splitText", (long) => splitText(long, { encoding: measureText(long).encoding })),
  octets("domain/gsm7.ts decodeGsm7", (septets) => decodeGsm7(septets)),
  text("domain/retry-after.ts retryAfterMs", (header) => retryAfterMs(header, now), headerOctetsMax),
  octets("webhooks/transport/response-reader.ts ResponseReader", (response) => {
    const reader = new ResponseReader();
    for (let at = 0; at < response.length && ["head", "body"].includes(reader.state); at += 1_000) {
      reader.push(response.subarray(at, at + 1_000));
    }
  }),
  {
    name: "smpp/frame-reader.ts FrameReader",
    octetsMax: fieldOctetsMax,
    prepare: (stream) => {
      const pieces = Array.from(stream, (octet) => Buffer.from([octet]));
      return () => {
        const reader = new FrameReader();
        for (const piece of pieces) reader.push(piece, () => true);
      };
    },
  },
  frames("smpp/deliver-frame.ts readDelivery", 5, readDelivery),
  frames("smpp/codec.ts decodeDelivery", 4, decodeDelivery),
  frames("smpp/codec.ts readFieldsOf", 5, readFieldsOf),
  frames("smpp/codec.ts readQueryAnswer", 0x80000003, readQueryAnswer),
  frames("smpp/codec.ts readMessageId", 0x80000004, readMessageId),
  frames("providers/smpp/inbound.ts readInbound", 5, (frame) => readInbound(readDelivery(frame), now)),
  frames("providers/smpp/receipt.ts readReceipt", 5, (frame) => readReceipt(readDelivery(frame))),
  text("providers/smpp/receipt.ts readFields", readFields),
  frames("providers/smpp/pdu-words.ts describePdu", 5, (frame) =>
    describePdu(frame, { charset: "gsm7", ia5: "latin1", isOutbound: false, isSecret: false, showsTexts: true }),
  ),
  octets("smpp/coded-content.ts readCodedContent", (body) => readCodedContent(coded(body), "gsm7", "gsm7")),
  octets("smpp/coded-content.ts decodeText", (body) => decodeText(body, chosen(body, [0, 1, 3, 4, 8]))),
  octets("smpp/charset.ts decodeSmscText", (body) =>
    decodeSmscText(body, chosen(body, ["gsm7", "gsm7-packed", "latin1", "ascii"]), 0),
  ),
  frames("smpp-server/customer-requests.ts readBindRequest", 9, readBindRequest),
  frames("smpp-server/customer-requests.ts readSubmitRequest", 4, (frame) => readSubmitRequest(frame, vendorTags)),
  frames("smpp-server/customer-requests.ts readDataRequest", 0x103, (frame) => readDataRequest(frame, vendorTags)),
  frames("smpp-server/customer-requests.ts readQueryRequest", 3, readQueryRequest),
  frames("smpp-server/customer-requests.ts readCancelRequest", 8, readCancelRequest),
  text("domain/smpp-time.ts parseSmppTime", (time) => parseSmppTime(time, now)),
  text("providers/http/callbacks.ts decodeReceipts", (body) => decodeReceipts(calls(body), receiptRules.receipts, now)),
  text("providers/http/callbacks.ts decodeInbound", (body) => decodeInbound(calls(body), receiptRules.inbound, now)),
  octets("providers/http/charset.ts decodeCharset", (body) =>
    decodeCharset(body, chosen(body, ["", "utf-16be", "gsm"])),
  ),
  text("providers/http/answer.ts outcomeOfAnswer", (body) =>
    outcomeOfAnswer({ status: 200, headers: new Headers(), body }, defaultRules, {
      trackingCode: "code",
      hidesAnswer: false,
      now,
    }),
  ),
  {
    name: "console/page/cookies.ts lookIn",
    octetsMax: headerOctetsMax,
    prepare: (header) => {
      const request = cookies(header.toString("utf8"));
      return () => lookIn(request);
    },
  },
  text("console/format/input.ts parseWholeNumber", parseWholeNumber, fieldOctetsMax),
  text("console/format/input.ts parseNumber", parseNumber, fieldOctetsMax),
  text(
    "console/format/input.ts parseMoment",
    (moment) => parseMoment(moment, { zone: "Asia/Tehran", now: 0 }),
    fieldOctetsMax,
  ),
];

function jsonOr(body: string): unknown {
  try {
    return parseRequestJson(Buffer.from(body));
  } catch {
    return body;
  }
}

/** Functions that look like parsers of foreign octets, but are not, or are bounded elsewhere. */
export const otherReaders: readonly { which: RegExp; why: string }[] = [
  { which: /^providers\/.*-(file|files|rules)\.ts /, why: "a part of a route's file, which its operator wrote" },
  { which: /^providers\/(http|smpp)\/options\.ts |^providers\/simulator\.ts /, why: "a route's file" },
  { which: /^providers\/smpp\/(host-order|optional-parameters)/, why: "a route's file" },
  { which: /^smpp\/charset\.ts readCharsets$|^fields\/file\.ts /, why: "a route's file" },
  { which: /^providers\/http\/presets\//, why: "a route's file" },
  { which: /^backup-target\/access-key\.ts /, why: "a file of the operator" },
  { which: /^messaging\/directory\/route-service\.ts parseFile$/, why: "a route's file" },
  { which: /^domain\/intake\/.*-file\.ts /, why: "an intake's file, which its operator wrote" },
  { which: /^domain\/(destination-url\.ts parseTrustedDestinations|quiet-hours|callback-origin)/, why: "a setting" },
  { which: /^domain\/(drop-in-credential|credential)\.ts /, why: "an option of the operator" },
  { which: /^domain\/number-range\.ts /, why: "a range that an operator typed, at most 64 characters" },
  { which: /^domain\/reason\.ts |^cluster\/(position|page-sums)\.ts /, why: "what Peyk stored itself" },
  { which: /^console\/places\//, why: "a choice among words of our own" },
  {
    which: /^messaging\/(billing\/price-lines|groups\/member-csv)/,
    why: "in slices: see the tests of its imports (*.hold)",
  },
  { which: /^messaging\/messages\/recipient-list/, why: "in slices: see test/console/send-many.hold.test.ts" },
  { which: /^agents\/body\.ts /, why: "counts octets, of requests whose token is good" },
  { which: /^console\/forms\/urlencoded-form/, why: "counts, then urlencodedFields" },
  { which: /^drop-in\/smtp\/mail\.ts /, why: "bounds, then the library's parser: see test/drop-in/mail.hold.test.ts" },
  { which: /^drop-in\/kannel\/(fields|sendsms)\.ts /, why: "counts, then readRawFields and the decoders of texts" },
  { which: /^drop-in\/jasmin\/read-arguments\.ts /, why: "counts octets, fields and JSON before it reads them" },
];
