/** What storage says when it refuses, read from its XML and put into words for an operator. */

/** The message is a sentence. */
export class TargetFailed extends Error {
  override readonly name = "TargetFailed";
  constructor(
    message: string,
    /** The target's own, such as `AccessDenied`; empty if it gave none. */
    readonly code = "",
    /** It may be over soon. */
    readonly isPassing = false,
  ) {
    super(message);
  }
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#34;": '"', "&#39;": "'", "&amp;": "&" };

/** The text of the first element of each name; empty if there is none. */
export function xmlTexts<Name extends string>(xml: string, names: readonly Name[]): Record<Name, string> {
  const texts = names.map((name) => {
    const from = xml.indexOf(`<${name}>`);
    const to = from === -1 ? -1 : xml.indexOf(`</${name}>`, from);
    const text = to === -1 ? "" : xml.slice(from + name.length + 2, to);
    return [name, Object.entries(entities).reduce((plain, [entity, sign]) => plain.replaceAll(entity, sign), text)];
  });
  return Object.fromEntries(texts);
}

export const isPage = (response: Response) => (response.headers.get("content-type") ?? "").startsWith("text/html");

export const htmlWords = (host: string) =>
  `${host} answers with a page, not as S3 does: the endpoint is the storage's own address, not that of a web site.`;

interface Circumstances {
  /** How far this machine's clock is ahead of the target's; null if that is not known. */
  aheadMs?: number | null;
  location?: string | null;
  isPage?: boolean;
}

const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
const wordsMax = 300;

export function targetRefusal(host: string, what: string, status: number, xml: string, around: Circumstances = {}) {
  const { Code: code, Message: message, Endpoint: endpoint } = xmlTexts(xml, ["Code", "Message", "Endpoint"]);
  const told = `${code || `HTTP ${status}`}${message && `: ${message}`}`
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, wordsMax);
  const { aheadMs = null, location = null } = around;
  const words = `${host} does not ${what} (${told})`;
  if (status >= 300 && status < 400) {
    const where = (endpoint || location || "another place").replaceAll(/\p{Cc}+/gu, " ").slice(0, wordsMax);
    return new TargetFailed(
      `${words}: it redirects to ${where}, which is not followed. Name that endpoint and region.`,
    );
  }
  if (around.isPage === true && code === "")
    return new TargetFailed(`${words}. ${htmlWords(host)}`, "", passing.has(status));
  if (code === "RequestTimeTooSkewed" && aheadMs !== null) {
    const seconds = Math.round(Math.abs(aheadMs) / 1_000);
    return new TargetFailed(
      `${words}: this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} its own.`,
      code,
    );
  }
  return new TargetFailed(`${words}.`, code, passing.has(status));
}
