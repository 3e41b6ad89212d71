/** Writes what a page answered as a response, and what to say where there is no page. */
import { OperatorError, operatorErrors } from "../../domain/operator-error.ts";
import type { Logger } from "../../platform/log.ts";
import type { Random } from "../../platform/random.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import { PasswordsBusy } from "../../users/password-lanes.ts";
import type { PostedForm } from "../components/post-form.tsx";
import type { Viewer } from "../data/viewer.ts";
import { renderDocument, renderPartial } from "../html.tsx";
import type { Locale } from "../locale.ts";
import { ErrorPage, type ErrorView } from "../pages/error.tsx";
import { refusalSentence } from "../pages/refusal.ts";
import { signInHref } from "../pages/sign-in.tsx";
import { pageHeaders } from "../security.ts";
import { lookIn } from "./cookies.ts";
import type { EventStreams } from "./event-streams.ts";
import { FormRefused } from "./form-refused.ts";
import type { PageAnswer } from "./page.ts";
import type { PageEvents } from "./page-events.ts";
import { enrolPath } from "./second-factor-pages.tsx";
import type { Viewers } from "./viewers.ts";
import { ownPath, type Visit } from "./visit.ts";

export interface AnswersDeps {
  viewers: Viewers;
  streams: EventStreams;
  random: Pick<Random, "uuid">;
  log: Pick<Logger, "error">;
}

interface Reader {
  visit: Visit;
  viewer: Viewer;
}

const html = (text: string, status: number): Response => new Response(text, { status, headers: pageHeaders() });

/** A page of htmx's takes no redirection to another page into its middle. */
export const isFromScript = ({ request }: Visit): boolean =>
  request.headers.has("HX-Request") || request.headers.get("Accept") === "text/event-stream";

/** For who is no reader of ours: a program, a stranger's page. */
export function refused(status: number, sentence: string): Response {
  const headers = { ...pageHeaders(), "Content-Type": "text/plain; charset=utf-8" };
  return new Response(`${sentence}\n`, { status, headers });
}

export const isStoreRefusal = (reason: unknown): boolean =>
  reason instanceof StoreUnavailable || (reason instanceof OperatorError && reason.code === "store_unavailable");

export class Answers {
  readonly #deps: AnswersDeps;
  readonly #nextFormNumber = () => this.#deps.random.uuid();

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  /** `reader`: who has signed in. */
  write(answer: PageAnswer, locale: Locale, reader?: Reader): Response {
    switch (answer.kind) {
      case "document":
        return html(renderDocument(locale, answer.page, this.#nextFormNumber), answer.status);
      case "written":
        return html(answer.html, 200);
      case "partial":
        return html(renderPartial(locale, answer.piece, this.#nextFormNumber), answer.status);
      case "redirect":
        if (answer.notice !== undefined && reader !== undefined) {
          this.#deps.viewers.tell(reader.viewer, answer.notice);
        }
        return seeOther(answer.to);
      case "download":
        // A search that looks far finds nothing for a while.
        reader?.visit.mayBeSilent();
        return new Response(this.#downloaded(answer, reader), {
          headers: {
            ...pageHeaders(),
            "Content-Type": answer.type,
            "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(answer.fileName)}`,
          },
        });
      case "events":
        return this.#stream(answer.events, reader);
    }
  }

  #downloaded({ type, content }: Extract<PageAnswer, { kind: "download" }>, reader: Reader | undefined) {
    const whole = type.startsWith("text/csv") ? marked(content) : content;
    if (typeof whole === "string" || reader === undefined) return whole;
    return this.#deps.streams.whileOpen(reader.viewer, whole);
  }

  #stream(events: PageEvents, reader: Reader | undefined): Response {
    if (reader === undefined) throw new Error("A page that needs no session has no stream");
    const { visit, viewer } = reader;
    visit.mayBeSilent();
    const response = this.#deps.streams.open(viewer, events, visit.request.signal);
    return response ?? new Response(null, { status: 429, headers: { ...pageHeaders(), "Retry-After": "60" } });
  }

  /** To sign-in, and from there to `next`, or back to where the reader was; a script is told by a status. */
  signedOut(visit: Visit, next: string | null): Response {
    if (isFromScript(visit)) return new Response(null, { status: 401, headers: pageHeaders() });
    // Whoever follows a link in a mail comes without the session's cookie; asked by our own page, the browser sends it.
    const { headers, method } = visit.request;
    if (method === "GET" && headers.get("Sec-Fetch-Site") === "cross-site") {
      return new Response(null, { headers: { ...pageHeaders(), Refresh: "0" } });
    }
    const back = next ?? (method === "GET" ? visit.path : refererPath(visit));
    return seeOther(signInHref("/sign-in", back));
  }

  /** To setting up the second factor that is demanded. */
  enrolFirst(visit: Visit): Response {
    return isFromScript(visit) ? new Response(null, { status: 403, headers: pageHeaders() }) : seeOther(enrolPath);
  }

  notFound(visit: Visit, viewer: Viewer | null): Response {
    return this.#error(visit, viewer, 404, () => ({ kind: "notFound", id: null, href: "/" }));
  }

  /** What a page threw: a refusal of the operator API, or a defect. `path`: as it is declared, since an address may hold a secret. */
  failed(visit: Visit, viewer: Viewer | null, reason: unknown, path: string): Response {
    if (visit.request.signal.aborted) return new Response(null, { status: 499 });
    if (reason instanceof FormRefused) return refused(reason.status, reason.message);
    if (isStoreRefusal(reason)) return this.notStored(visit, viewer, reason, null);
    if (reason instanceof PasswordsBusy) return this.#busy(visit, viewer, reason);
    const status = reason instanceof OperatorError ? operatorErrors[reason.code].status : 500;
    if (status === 404) return this.notFound(visit, viewer);
    if (reason instanceof OperatorError && status < 500) return this.#refused(visit, viewer, reason);
    const id = this.#deps.random.uuid();
    this.#deps.log.error({ err: reason, id, path }, "a page of the console failed");
    return this.#error(visit, viewer, status, () => ({ kind: "failed", id, href: visit.path }));
  }

  /** No defect: what was asked for is not there in this way, or not now. */
  #refused(visit: Visit, viewer: Viewer | null, reason: OperatorError): Response {
    const { status } = operatorErrors[reason.code];
    const { pathname, search } = visit.url;
    if (status === 400 && search !== "" && visit.request.method !== "POST") {
      return this.#error(visit, viewer, status, () => ({ kind: "wrongAddress", id: null, href: pathname }));
    }
    const href = refererPath(visit);
    return this.#error(visit, viewer, status, (locale) => {
      return { kind: "refused", id: null, href, sentence: refusalSentence(reason, locale) };
    });
  }

  /** The disk is full or fails. `form`: what was posted, to be sent again. */
  notStored(visit: Visit, viewer: Viewer | null, reason: unknown, form: PostedForm | null): Response {
    this.#deps.log.error({ err: reason }, "a form of the console could not be stored");
    const href = refererPath(visit);
    return this.#error(visit, viewer, 503, () => ({ kind: "notStored", id: null, href, form }));
  }

  #busy(visit: Visit, viewer: Viewer | null, { waitMs }: PasswordsBusy): Response {
    const href = refererPath(visit);
    const response = this.#error(visit, viewer, 429, ({ words, format }) => {
      return { kind: "refused", id: null, href, sentence: words.signIn.busy(format.duration(waitMs)) };
    });
    response.headers.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
    return response;
  }

  #error(
    visit: Visit,
    viewer: Viewer | null,
    status: number,
    viewIn: (locale: Locale) => Omit<ErrorView, "theme">,
  ): Response {
    const { viewers } = this.#deps;
    const look = lookIn(visit.request);
    const locale = viewer === null ? viewers.localeOf(look) : viewers.localeFor(viewer);
    const theme = viewer?.theme ?? look.theme;
    return html(
      renderDocument(locale, <ErrorPage view={{ ...viewIn(locale), theme }} />, this.#nextFormNumber),
      status,
    );
  }
}

/** Without a byte order mark Excel takes UTF-8 for the code page of its Windows, and no Persian name can be read. */
function marked(content: ReadableStream<Uint8Array> | string): ReadableStream<Uint8Array> | string {
  const mark = "\ufeff";
  if (typeof content === "string") return mark + content;
  return content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (output) => output.enqueue(new TextEncoder().encode(mark)),
    }),
  );
}

function seeOther(to: string): Response {
  return new Response(null, { status: 303, headers: { ...pageHeaders(), Location: ownPath(to) } });
}

/** The page from which a form was posted; the first page where the browser does not say. */
function refererPath({ request, origin }: Visit): string {
  const referer = URL.parse(request.headers.get("Referer") ?? "");
  return referer?.origin === origin ? referer.pathname + referer.search : "/";
}
