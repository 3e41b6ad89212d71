/** Encodes a message as submit_sm PDUs, by a route's options. */
import { accountIdText } from "../../domain/id-text.ts";
import type { MessageEncoding } from "../../domain/message.ts";
import { NotInAlphabetError } from "../../domain/text.ts";
import { destinationAddress, sourceAddress } from "../../smpp/address.ts";
import { canEncode } from "../../smpp/charset.ts";
import type { SmppAddress } from "../../smpp/codec.ts";
import { partContent, splitForMode } from "../../smpp/parts.ts";
import { encodeSubmit } from "../../smpp/submit-frame.ts";
import type { Submission, SubmitOutcome } from "../provider.ts";
import { rewriteAddress } from "./address-rules.ts";
import { encodeOptionalParameters, passedParameters } from "./optional-parameters.ts";
import type { SmppOptions } from "./options.ts";
import { validityPeriod } from "./validity.ts";

export type Rejection = Extract<SubmitOutcome, { kind: "rejected" }>;

const classNames = ["otp", "single", "bulk"] as const;

const noOctets = Buffer.alloc(0);

/** Encodes messages for one route. */
export class SubmitWriter {
  readonly #fixed: Buffer;
  readonly #hasFilled: boolean;
  /** Not those that the route writes itself. Undefined if there are none. */
  readonly passedTags: ReadonlySet<number> | undefined;

  constructor(readonly options: SmppOptions) {
    this.#fixed = encodeOptionalParameters(options.tlvs);
    this.#hasFilled = options.tlvs.some((parameter) => "template" in parameter);
    const passed = options.passTlvs.filter((tag) => !options.tlvs.some((own) => own.tag === tag));
    this.passedTags = passed.length === 0 ? undefined : new Set(passed);
  }

  get needsTemplateId(): boolean {
    return this.options.tlvs.some((tlv) => "template" in tlv && tlv.template.variables.includes("templateId"));
  }

  /** The texts of a message's parts, or a rejection if SMPP cannot carry it. */
  split(submission: Submission): string[] | Rejection {
    try {
      return splitForMode(submission.text, this.#encodingOf(submission), this.options.longMessages);
    } catch (error) {
      if (!(error instanceof NotInAlphabetError)) throw error;
      return { kind: "rejected", error: "internal", reason: { code: "not_in_gsm_alphabet", index: error.index } };
    }
  }

  /** One PDU for each index in `wanted`, in that order, still without sequence numbers. */
  write(
    submission: Submission,
    texts: readonly string[],
    reference: number,
    wanted: readonly number[],
    now: number,
  ): Buffer[] | Rejection {
    const { options } = this;
    const source = this.source(submission.sender);
    const destinationTypes = { ton: options.destinationTon, npi: options.destinationNpi };
    const recipient = rewriteAddress(submission.recipient, options.destinationRules, destinationTypes);
    const destination = destinationAddress(recipient.address, recipient.types);
    if (source === null) {
      return { kind: "rejected", error: "rejected_by_network", reason: { code: "smpp_sender_invalid" } };
    }
    if (destination === null) {
      return { kind: "rejected", error: "recipient_invalid", reason: { code: "smpp_recipient_invalid" } };
    }
    const fields = {
      serviceType: options.serviceType,
      source,
      destination,
      protocolId: options.protocolId,
      priorityFlag: options.priority[classNames[submission.class]],
      registeredDelivery: options.registeredDelivery,
      validityPeriod: validityPeriod(submission.validUntil - now, options.validityMinutes),
    };
    const { charset, longMessages: mode } = options;
    const form = { encoding: this.#encodingOf(submission), charset: charset.outbound, mode, reference };
    const extra = this.#optionalParameters(submission);
    return wanted.map((index) => encodeSubmit({ ...fields, ...partContent(texts, index, form) }, extra));
  }

  /** A sender as the route writes it; null if SMPP cannot carry it. */
  source(sender: string): SmppAddress | null {
    const { sourceTon, sourceNpi, sourceRules } = this.options;
    const { address, types } = rewriteAddress(sender, sourceRules, { ton: sourceTon, npi: sourceNpi });
    return sourceAddress(address, types);
  }

  #optionalParameters({ trackingCode, accountId, class: messageClass, templateId = null, tlvs }: Submission): Buffer {
    const passed = tlvs && this.passedTags && passedParameters(tlvs, this.passedTags);
    if (!this.#hasFilled) return passed ? Buffer.concat([this.#fixed, passed]) : this.#fixed;
    const values = { trackingCode, account: accountIdText(accountId), class: classNames[messageClass], templateId };
    const filled = encodeOptionalParameters(this.options.tlvs, values);
    return Buffer.concat([this.#fixed, filled, passed ?? noOctets]);
  }

  /** A text that the SMSC's alphabet lacks characters for goes as UCS-2, and may need more parts than were counted. */
  #encodingOf({ text, encoding }: Submission): MessageEncoding {
    return encoding === "Latin" && !canEncode(text, this.options.charset.outbound) ? "Unicode" : encoding;
  }
}
