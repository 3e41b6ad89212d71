/**
 * Pages and actions, each declared once: method, path, permission, and what answers it.
 *
 * To add a page:
 *
 * 1. Its folder is `../places/messages/`: `messages-pages.tsx` declares its pages, mostly with the kit of `usual-pages.tsx`,
 *    which says how; its views are beside it, and what they say stands in `words.ts`, in both languages. A new array goes to
 *    `../server/console-pages.ts`. Data comes from `api` (`api("GET /messages", { limit })`) or `reports`.
 * 2. A GET changes nothing. A form is a POST: it answers `redirect(to, notice)` when it is done, and `formAgain(page)` with what was
 *    typed when it is not. One that shows what it made, a secret say, answers `madePage(page, to)`. A repeat of a form that is done does
 *    not reach `answer`: see `../server/form-repeats.ts`. What the operator API refuses may be thrown on: `…_not_found` becomes the
 *    page for that.
 * 3. Without the permission the page is not there (404); a customer's `api` and `reports` reach the customer's account alone.
 */
import type { VNode } from "preact";
import type { ConsoleAction } from "../../domain/roles.ts";
import type { Place, Shell } from "../components/navigation.tsx";
import type { FormFields } from "../forms/form-fields.ts";
import type { Locale } from "../locale.ts";
import type { ConsoleApi } from "./console-api.ts";
import type { Look } from "./cookies.ts";
import type { ListenerSide } from "./listener-side.ts";
import type { Viewer, ViewerReports } from "./viewer.ts";

export type PageMethod = "GET" | "POST";

/** `{ code: string }` for `/messages/:code`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : object;

/** What every request provides. */
interface AnyCall<Params> {
  params: Params;
  query: URLSearchParams;
  /** From a POST; empty for a GET. */
  form: FormFields;
  locale: Locale;
  /** Path and query, as shown in the browser. */
  path: string;
  /** The client's address. */
  address: string;
  /** Of the pages, in the reader's browser. */
  origin: string;
  /** The ticket of the form saved for this browser; null for none. */
  formTicket: string | null;
  /** A script requests a piece of a page that is already shown. */
  isPiece: boolean;
  /** For an answer that takes longer than a connection may stay silent. */
  mayBeSilent(): void;
  /** Aborted when nobody is waiting for the answer any more. */
  signal: AbortSignal;
}

export interface PageCall<Params = unknown> extends AnyCall<Params> {
  viewer: Viewer;
  api: ConsoleApi;
  reports: ViewerReports;
  /** The data of the page's frame, with `place` marked in the column. */
  shell(place: Place): Shell;
}

/** A request that needs no session: sign-in, setup, preferences. */
export interface OpenCall<Params = unknown> extends AnyCall<Params> {
  side: ListenerSide;
  look: Look;
  /** The company's name. */
  owner: string;
  /** From the session cookie, as the browser sent it. */
  token: string | null;
  /** From the cookie of a sign-in at a provider. */
  flow: string | null;
  /** Whether the browser connected by TLS. */
  isSecure: boolean;
  /** Whether a page of another site made the browser ask. */
  isFromElsewhere: boolean;
}

export type PageAnswer =
  /** `made`: the page of what the form created, to which a repeated submission is redirected. */
  | { kind: "document"; page: VNode; status: number; made?: string }
  /** A piece of a page that is already shown, for htmx. */
  | { kind: "partial"; piece: VNode; status: number }
  /** A document that is already rendered. */
  | { kind: "written"; html: string; status?: number }
  /** `notice` is displayed at the top of the next page. */
  | { kind: "redirect"; to: string; notice?: VNode | undefined }
  /** To a page of somebody else, of whom the settings speak. */
  | { kind: "leave"; to: string }
  | { kind: "download"; fileName: string; type: string; content: ReadableStream<Uint8Array> | string }
  | { kind: "events"; events: PageEvents }
  /** Keeps the open page current: `look` reads again what it shows. */
  | { kind: "live"; look(locale: Locale): Promise<LiveLook> };

/** `seen` changes when what the page shows has changed; until then it is not rendered. */
export interface LiveLook {
  seen: string;
  page: VNode;
}

/** `retryAfterMs`: how long a reader with too many requests has to wait. */
export type OpenAnswer = PageAnswer & { cookies?: readonly string[]; retryAfterMs?: number };

type Answer<Of> = Of | Promise<Of>;

/** A posted form. */
export interface PostedFields {
  /** Path and query it was posted to. */
  path: string;
  /** A field's value; empty if it has none. */
  value(name: string): string;
}

export interface FormPlace {
  /** A page's path and query. */
  page: string;
  /** The path of the form there, if it differs from the one posted to. */
  action?: string;
}

export interface ConsolePage {
  method: PageMethod;
  path: string;
  action: ConsoleAction;
  /** Fields of its form that are never saved when a session has ended, besides those for passwords. */
  secretFields?: readonly string[];
  /** Its form carries a key by which the operator API recognises a repeat. */
  knowsRepeats?: boolean;
  /** Where its form is shown, if not at its own address or one above. */
  formAt?(posted: PostedFields): FormPlace;
  answer(call: PageCall): Answer<PageAnswer>;
}

interface OpenOptions {
  /** A program of somebody else posts here: its answer depends on nothing that a browser keeps. */
  fromElsewhere?: true;
}

export interface OpenPage extends OpenOptions {
  method: PageMethod;
  path: string;
  /** Answers a POST without reading its form: for a sender who must wait, or may not post here. */
  beforeForm?(call: OpenCall): OpenAnswer | null;
  answer(call: OpenCall): Answer<OpenAnswer>;
}

interface Declared<Path extends string> {
  method: PageMethod;
  /** `/messages/:code`, without a slash at its end. */
  path: Path;
}

export type DeclaredPage<Path extends string> = Declared<Path> &
  Pick<ConsolePage, "action" | "secretFields" | "knowsRepeats" | "formAt"> & {
    answer(call: PageCall<ParamsOf<Path>>): Answer<PageAnswer>;
  };

export function page<const Path extends string>(declared: DeclaredPage<Path>): ConsolePage {
  return declared;
}

export function openPage<const Path extends string>(
  declared: Declared<Path> &
    OpenOptions & {
      beforeForm?(call: OpenCall<ParamsOf<Path>>): OpenAnswer | null;
      answer(call: OpenCall<ParamsOf<Path>>): Answer<OpenAnswer>;
    },
): OpenPage {
  return declared;
}

export const document = (view: VNode, status = 200): PageAnswer => ({ kind: "document", page: view, status });
export const partial = (piece: VNode, status = 200): PageAnswer => ({ kind: "partial", piece, status });
/** The result of a form, shown only this once; `to` is where to find it later. */
export const madePage = (view: VNode, to: string): PageAnswer => ({
  kind: "document",
  page: view,
  status: 200,
  made: to,
});
/** The form again, with the typed values and the errors. */
export const formAgain = (view: VNode): PageAnswer => document(view, 422);
/** Always requested with GET. */
export const redirect = (to: string, notice?: VNode): PageAnswer => ({ kind: "redirect", to, notice });
export const download = (fileName: string, type: string, content: ReadableStream<Uint8Array> | string): PageAnswer => ({
  kind: "download",
  fileName,
  type,
  content,
});

export interface PageEvent {
  /** Null: `<hx-partial>` markup. A name: figures as JSON, for the chart of that name. */
  name: string | null;
  data: string;
}

export interface PageEvents {
  /** Starts sending, and returns a function that stops it. */
  start(send: (event: PageEvent) => void): () => void;
}
