/** A text from a phone, as a part that may belong to a long message. */
import type { Ia5Charset } from "../../domain/credential.ts";
import { inboundAddress } from "../../smpp/address.ts";
import type { Charset } from "../../smpp/charset.ts";
import type { DeliverSm } from "../../smpp/codec.ts";
import { readCodedContent } from "../../smpp/coded-content.ts";
import type { InboundPart } from "../provider.ts";

export function readInbound(
  delivery: DeliverSm,
  receivedAt: number,
  charset: Charset = "gsm7",
  ia5: Ia5Charset = "latin1",
): InboundPart {
  const { text, body, concat } = readCodedContent(delivery, charset, ia5);
  return {
    sender: inboundAddress(delivery.source),
    receiver: inboundAddress(delivery.destination),
    text: text ?? "",
    ...(text === null ? { binary: body.toString("hex") } : {}),
    ...(concat === null ? {} : { concat }),
    receivedAt,
  };
}
