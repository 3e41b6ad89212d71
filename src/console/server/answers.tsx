/** Turns a page's answer into a response, and handles requests for which there is no page. */
import { OperatorError, operatorErrors } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import type { Random } from "../../platform/random.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import { PasswordsBusy } from "../../users/password-lanes.ts";
import { Notice } from "../components/blocks.tsx";
import type { PostedForm } from "../components/post-form.tsx";
import { FormRefused } from "../forms/form-refusal.ts";
import { renderDocument, renderPartial } from "../html.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { lookIn } from "../page/cookies.ts";
import { type PageAnswer, type PageEvents, redirect } from "../page/page.ts";
import { refusalSentence } from "../page/refusal.ts";
import type { Viewer } from "../page/viewer.ts";
import { ownPath, type Visit } from "../page/visit.ts";
import { enrolPath } from "../places/settings/second-factor-pages.tsx";
import { signInHref } from "../places/sign-in/sign-in-href.ts";
import { signInWords } from "../places/sign-in/words.ts";
import { pageHeaders } from "../security.ts";
import { ErrorPage, type ErrorView } from "./error-page.tsx";
import type { EventStreams } from "./event-streams.ts";
import type { RepeatedForm } from "./form-repeats.ts";
import { LivePages, type LivePagesDeps } from "./live-pages.tsx";
import { packed } from "./page-compression.ts";
import type { Viewers } from "./viewers.ts";

export interface AnswersDeps extends Omit<LivePagesDeps, "nextFormNumber"> {
  viewers: Viewers;
  streams: EventStreams;
  random: Pick<Random, "uuid">;
}

interface Reader {
  visit: Visit;
  viewer: Viewer;
}

function html(text: string, status: number, packs = false): Response {
  const init = { status, headers: pageHeaders() };
  return packs ? packed(text, init) : new Response(text, init);
}

/** A script must not swap the page behind a redirect into the middle of the current one. */
export const isFromScript = ({ request }: Visit): boolean =>
  request.headers.has("HX-Request") || request.headers.get("Accept") === "text/event-stream";

/** For clients other than our pages: a program, a foreign page. */
export function refused(status: number, sentence: string): Response {
  const headers = { ...pageHeaders(), "Content-Type": "text/plain; charset=utf-8" };
  return new Response(`${sentence}\n`, { status, headers });
}

export const isStoreRefusal = (reason: unknown): boolean =>
  reason instanceof StoreUnavailable || (reason instanceof OperatorError && reason.code === "store_unavailable");

export class Answers {
  readonly #nextFormNumber = () => this.deps.random.uuid();

  readonly #live: LivePages;

  constructor(private readonly deps: AnswersDeps) {
    this.#live = new LivePages({ ...deps, nextFormNumber: this.#nextFormNumber });
  }

  /** `reader`: the signed-in user. `packs`: if it is a page, it is compressed. */
  write(answer: PageAnswer, locale: Locale, packs: boolean, reader?: Reader): Response {
    switch (answer.kind) {
      case "document":
        return html(renderDocument(locale, answer.page, this.#nextFormNumber), answer.status, packs);
      case "written":
        return html(answer.html, answer.status ?? 200, packs);
      case "partial":
        return html(renderPartial(locale, answer.piece, this.#nextFormNumber), answer.status, packs);
      case "redirect":
        if (answer.notice !== undefined && reader !== undefined) {
          this.deps.viewers.tell(reader.viewer, answer.notice);
        }
        return seeOther(answer.to);
      case "leave":
        return new Response(null, { status: 303, headers: { ...pageHeaders(), Location: answer.to } });
      case "download":
        // A search that looks far back may find nothing for a while.
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
      case "live":
        return this.#stream(this.#kept(answer, reader), reader);
    }
  }

  #downloaded({ type, content }: Extract<PageAnswer, { kind: "download" }>, reader: Reader | undefined) {
    const whole = type.startsWith("text/csv") ? marked(content) : content;
    if (typeof whole === "string" || reader === undefined) return whole;
    return this.deps.streams.whileOpen(reader.viewer, whole);
  }

  #kept({ look }: Extract<PageAnswer, { kind: "live" }>, reader: Reader | undefined): PageEvents {
    if (reader === undefined) throw new Error("A page that needs no session is not live");
    const { viewers } = this.deps;
    return this.#live.for({ look, locale: () => viewers.localeFor(reader.viewer) });
  }

  #stream(events: PageEvents, reader: Reader | undefined): Response {
    if (reader === undefined) throw new Error("A page that needs no session has no stream");
    const { visit, viewer } = reader;
    visit.mayBeSilent();
    const response = this.deps.streams.open(viewer, events, visit.request.signal);
    return response ?? new Response(null, { status: 429, headers: { ...pageHeaders(), "Retry-After": "60" } });
  }

  /** To sign-in, and from there to `next` or back to the previous page; a script gets a status instead. */
  signedOut(visit: Visit, next: string | null): Response {
    if (isFromScript(visit)) return new Response(null, { status: 401, headers: pageHeaders() });
    // A request from a link in a mail carries no session cookie; the browser sends it when our own page repeats the
    // request.
    const { headers, method } = visit.request;
    if (method === "GET" && headers.get("Sec-Fetch-Site") === "cross-site") {
      return new Response(null, { headers: { ...pageHeaders(), Refresh: "0" } });
    }
    const back = next ?? (method === "GET" ? visit.path : refererPath(visit));
    return seeOther(signInHref("/sign-in", back));
  }

  /** To setting up the required second factor. */
  enrolFirst(visit: Visit): Response {
    return isFromScript(visit) ? new Response(null, { status: 403, headers: pageHeaders() }) : seeOther(enrolPath);
  }

  notFound(visit: Visit, viewer: Viewer | null): Response {
    return this.#error(visit, viewer, 404, () => ({ kind: "notFound", id: null, href: "/" }));
  }

  /**
   * An exception thrown by a page: a refusal of the operator API, or a defect. `path`: as declared, because an address
   * may contain a secret.
   */
  failed(visit: Visit, viewer: Viewer | null, reason: unknown, path: string): Response {
    if (visit.request.signal.aborted) return new Response(null, { status: 499 });
    if (reason instanceof FormRefused) return this.#unread(visit, viewer, reason);
    if (isStoreRefusal(reason)) return this.notStored(visit, viewer, reason, null);
    if (reason instanceof PasswordsBusy) return this.#busy(visit, viewer, reason);
    const status = reason instanceof OperatorError ? operatorErrors[reason.code].status : 500;
    if (status === 404) return this.notFound(visit, viewer);
    if (reason instanceof OperatorError && status < 500) return this.#refused(visit, viewer, reason);
    const id = this.deps.random.uuid();
    this.deps.log.error({ err: reason, id, path }, "a page of the console failed");
    return this.#error(visit, viewer, status, () => ({ kind: "failed", id, href: visit.path }));
  }

  /** Strangers get no page: it would cost more than reading their form. */
  #unread(visit: Visit, viewer: Viewer | null, reason: FormRefused): Response {
    if (viewer === null) return refused(reason.status, reason.message);
    const href = refererPath(visit);
    return this.#error(visit, viewer, reason.status, ({ language }) => {
      return { kind: "refused", id: null, href, sentence: reason.sentence(language) };
    });
  }

  /** Not a defect: the request is not possible in this form, or not now. */
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

  /** The disk is full or failing. `form`: the posted form, to be sent again. */
  notStored(visit: Visit, viewer: Viewer | null, reason: unknown, form: PostedForm | null): Response {
    this.deps.log.error({ err: reason }, "a form of the console could not be stored");
    const href = refererPath(visit);
    return this.#error(visit, viewer, 503, () => ({ kind: "notStored", id: null, href, form }));
  }

  #busy(visit: Visit, viewer: Viewer | null, { waitMs }: PasswordsBusy): Response {
    const href = refererPath(visit);
    const response = this.#error(visit, viewer, 429, ({ language, format }) => {
      return { kind: "refused", id: null, href, sentence: signInWords[language].busy(format.duration(waitMs)) };
    });
    response.headers.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
    return response;
  }

  #error(
    visit: Visit,
    viewer: Viewer | null,
    status: number,
    viewIn: (locale: Locale) => Omit<ErrorView, "theme" | "hasHelp">,
  ): Response {
    const { viewers } = this.deps;
    const look = lookIn(visit.request);
    const locale = viewer === null ? viewers.localeOf(look, visit.side) : viewers.localeFor(viewer);
    const theme = viewer?.theme ?? look.theme;
    const hasHelp = roleMay(viewer?.role ?? null, "status.read");
    return html(
      renderDocument(locale, <ErrorPage view={{ ...viewIn(locale), theme, hasHelp }} />, this.#nextFormNumber),
      status,
    );
  }
}

/** Without a byte order mark, Excel reads UTF-8 in the Windows code page, and Persian names become unreadable. */
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

/** The page that a form was posted from; the first page if the browser does not say. */
function refererPath({ request, origin }: Visit): string {
  const referer = URL.parse(request.headers.get("Referer") ?? "");
  return referer?.origin === origin ? referer.pathname + referer.search : "/";
}

/** The first answer may have been lost: after a double click, the browser only shows the second. */
export function repeatAnswer({ to, answer }: RepeatedForm): PageAnswer {
  if (answer?.kind === "document") return answer;
  const told = answer?.kind === "redirect" ? answer.notice : undefined;
  return redirect(
    to,
    <>
      {told}
      <RepeatNotice />
    </>,
  );
}

function RepeatNotice() {
  const { words } = useLocale();
  return <Notice tone="info">{words.forms.repeated}</Notice>;
}
