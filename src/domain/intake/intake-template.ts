/** The template of an intake: how the call of a program that does not know Peyk becomes messages. */
import { messageLimits } from "../message.ts";

/** A path in a call, such as `alerts.0.labels.severity`, and its scope. */
export interface IntakePath {
  /**
   * `here`: the current element, which without `each` is the body; `body`: the whole body (`$.title`); `query`
   * (`$query.token`), `header` (`$header.x-id`).
   */
  scope: "here" | "body" | "query" | "header";
  path: string;
}

/** Alternatives, of which the first one present is used: `{{title|message|'no title'}}`. A string is literal. */
export type IntakeChoice = readonly (IntakePath | string)[];

/** A text of literal pieces and alternatives. */
export interface IntakeText {
  kind: "text";
  pieces: readonly (string | { choice: IntakeChoice; written: string })[];
  cutAt: number | null;
}

/** Texts to concatenate. */
export interface IntakeTexts {
  kind: "texts";
  texts: readonly IntakeValue[];
  cutAt: number | null;
}

/** A text for each element of a list, joined. */
export interface IntakeJoin {
  kind: "join";
  list: IntakePath;
  text: IntakeValue;
  separator: string;
  /** Maximum number of elements; the rest are dropped. */
  countMax: number;
  cutAt: number | null;
}

export type IntakeValue = IntakeText | IntakeTexts | IntakeJoin;

/** True if the value is one of these, or none of them. A missing value counts as the empty text. */
export interface IntakeCondition {
  value: IntakeValue;
  isOneOf: boolean;
  words: readonly string[];
}

export type IntakeRecipients =
  | { kind: "numbers"; numbers: readonly string[] }
  /** A number, several separated by commas or semicolons, or a list. */
  | { kind: "field"; value: IntakeText }
  | { kind: "group"; code: string };

/**
 * `auto`: JSON, form or multipart, depending on the content type; without a body, the query. `field`: the same, but a
 * form field contains the JSON that serves as the body.
 */
export type IntakeFormat =
  | { kind: "auto" }
  | { kind: "json" }
  | { kind: "form" }
  | { kind: "query" }
  | { kind: "field"; name: string };

export type IntakeContent =
  | { kind: "text"; text: IntakeValue }
  /**
   * A one-time password that the caller generated. `pattern`: the code of an approved pattern; null: the text in the
   * settings.
   */
  | { kind: "code"; code: IntakeValue; pattern: string | null };

export interface IntakeAnswer {
  status: number;
  /** Null for an empty body. Texts in it may contain the placeholders of `answerPlaceholders`. */
  body: { type: string; json: unknown } | { type: string; text: string } | null;
  /** The status for a call that exceeds the rate: some callers give up on 429. */
  busyStatus: 429 | 503;
}

/** How the caller is authenticated. The credential's secret is the password, the token or the signing key. */
export type CallerProof =
  | { kind: "basic"; username: string | null }
  | { kind: "bearer" }
  | { kind: "header"; name: string }
  | { kind: "query"; name: string }
  | SignatureProof;

export type SignatureProof =
  /** standardwebhooks.com: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  | { kind: "standard-webhooks"; toleranceSeconds: number }
  /** One header `t=…,v1=…`, over the time, a dot and the body. */
  | { kind: "stamped"; header: string; toleranceSeconds: number }
  /** Hexadecimal or base64 over the body, or over time, separator and body if a header has the time. */
  | {
      kind: "body";
      header: string;
      prefix: string;
      encoding: "hex" | "base64";
      timestampHeader: string | null;
      separator: string;
      toleranceSeconds: number;
    };

export interface IntakeTemplate {
  caller: CallerProof;
  format: IntakeFormat;
  /** Of the query, a form and a multipart form; JSON is UTF-8. */
  charset: string;
  /** Paths whose texts the caller percent-encodes, in `charset`, before they go into JSON or a form. */
  urldecode: readonly IntakePath[];
  /** The path of a list whose elements each become a message; null: the whole call is one. */
  each: IntakePath | null;
  /** Checked for each element; those that do not meet every condition are left out. */
  when: readonly IntakeCondition[];
  to: IntakeRecipients;
  /** Numbers without a plus are international. */
  isInternational: boolean;
  /** Null, or empty once filled in: the account's default. */
  sender: IntakeValue | null;
  content: IntakeContent;
  reference: IntakeValue | null;
  /**
   * A value that repeats of the call share; if empty once filled in, the call is new. Null: only the signature
   * identifies repeats.
   */
  key: IntakeValue | null;
  keySeconds: number;
  keyFreeAfterFailure: boolean;
  answer: IntakeAnswer;
}

/** The placeholders available in an answer. */
export const answerPlaceholders = ["trackingCode", "count", "acceptedAt", "duplicate"] as const;
export type AnswerPlaceholder = (typeof answerPlaceholders)[number];

export const intakeLimits = {
  /** Of the file as JSON. */
  fileCharactersMax: 32_768,
  textCharactersMax: messageLimits.textMax,
  piecesMax: 64,
  alternativesMax: 8,
  pathCharactersMax: 200,
  nestingMax: 4,
  textsMax: 20,
  conditionsMax: 20,
  encodedPathsMax: 20,
  charsetCharactersMax: 40,
  wordsMax: 50,
  numbersMax: 500,
  joinedMax: 100,
  messagesMax: 500,
  /** For a whole call: fields read, and UTF-16 units written. */
  lookupsMax: 100_000,
  unitsMax: 2_000_000,
  keySecondsMax: 30 * 86_400,
  toleranceSecondsMax: 3_600,
  bodyBytesMax: 256 * 1024,
  fieldsMax: 1_000,
} as const;

/** True if the body must be read before the caller is known. */
export const isSignature = (proof: CallerProof): proof is SignatureProof =>
  proof.kind === "standard-webhooks" || proof.kind === "stamped" || proof.kind === "body";
