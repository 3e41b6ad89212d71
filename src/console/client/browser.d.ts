/**
 * Globals that the page scripts find in the browser beyond the standard ones. Declared globally because the scripts are
 * not modules.
 */
import type { Htmx } from "htmx.org";
import type { SameText as WrittenText } from "./same-text.ts";

declare global {
  const SameText: typeof WrittenText;

  interface Window {
    htmx: Htmx;
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(html: string): string; createScript(source: string): string },
      ): unknown;
    };
  }

  /** The part of htmx's internal API that is passed to an extension and used here. */
  interface ExtensionApi {
    initSecurity(policy: unknown, sync: () => never, async: () => never): void;
  }

  /** What htmx tells an extension about an answer. */
  interface AnswerDetail {
    ctx: { response: { status: number; raw: Response } };
  }

  /** A named event from a page's stream. */
  type StreamEvent = CustomEvent<{ data: string; id: string }>;
}
