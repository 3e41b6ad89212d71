/**
 * Pages and actions, each declared once: method, path, permission, and what answers it.
 *
 * To add a page:
 *
 * 1. Its data is a function in `../data/` that takes `api` (`api("GET /messages", { limit })`) or `reports` and gives the
 *    view model of its view in `../pages/`.
 * 2. Declare it in an array beside this file, `messages-pages.tsx`, and add that array to `console-pages.ts`:
 *
 *        page({
 *          method: "GET",
 *          path: "/messages/:code",
 *          action: "messages.read",
 *          answer: async ({ api, params, shell }) =>
 *            document(<MessagePage shell={shell("messages")} view={await messageView(api, params.code)} />),
 *        })
 *
 * 3. A form is a POST. It answers `redirect(to, notice)` when it is done, and `formAgain(page)` with what was typed when it is not.
 *    One that shows what it made, a secret say, answers `madePage(page, to)`. A repeat of a form that is done does not reach `answer`:
 *    see `sent-forms.ts`. A GET changes nothing. What the operator API refuses may be thrown on: `…_not_found` becomes the page for that.
 * 4. Without the permission the page is not there (404); a customer's `api` and `reports` reach the customer's account alone.
 */
import type { VNode } from "preact";
import type { ConsoleAction } from "../../domain/roles.ts";
import type { Place, Shell } from "../components/navigation.tsx";
import type { ConsoleApi } from "../data/console-api.ts";
import type { Viewer, ViewerReports } from "../data/viewer.ts";
import type { Locale } from "../locale.ts";
import type { Look } from "./cookies.ts";
import type { FormFields } from "./form-fields.ts";
import type { ListenerSide } from "./listener-side.ts";
import type { PageEvents } from "./page-events.ts";

export type PageMethod = "GET" | "POST";

/** `{ code: string }` for `/messages/:code`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : object;

/** What every request brings. */
interface AnyCall<Params> {
  params: Params;
  query: URLSearchParams;
  /** Of a POST; empty for a GET. */
  form: FormFields;
  locale: Locale;
  /** Path and query, as they stand in the browser. */
  path: string;
  /** The client's address. */
  address: string;
  /** Of the form that is kept for this browser; null for none. */
  formTicket: string | null;
  /** A script asks for a piece of a page that is shown already. */
  isPiece: boolean;
  /** For an answer that takes longer than a connection may be silent. */
  mayBeSilent(): void;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface PageCall<Params = unknown> extends AnyCall<Params> {
  viewer: Viewer;
  api: ConsoleApi;
  reports: ViewerReports;
  /** What the page's frame shows, with `place` marked in the column. */
  shell(place: Place): Shell;
}

/** A request that needs no session: sign-in, setup, preferences. */
export interface OpenCall<Params = unknown> extends AnyCall<Params> {
  side: ListenerSide;
  look: Look;
  /** The company's name. */
  owner: string;
  /** Of the session's cookie, as the browser sent it. */
  token: string | null;
  /** Whether the browser reached us by TLS. */
  isSecure: boolean;
}

export type PageAnswer =
  /** `made`: the page of what a form made, to which a repeat of it is led. */
  | { kind: "document"; page: VNode; status: number; made?: string }
  /** A piece of a page that is shown already, for htmx. */
  | { kind: "partial"; piece: VNode; status: number }
  /** A document that is written already. */
  | { kind: "written"; html: string }
  /** `notice` stands at the top of the page that is shown next. */
  | { kind: "redirect"; to: string; notice?: VNode | undefined }
  | { kind: "download"; fileName: string; type: string; content: ReadableStream<Uint8Array> | string }
  | { kind: "events"; events: PageEvents };

/** `retryAfterMs`: how long a reader who is too fast waits. */
export type OpenAnswer = PageAnswer & { cookies?: readonly string[]; retryAfterMs?: number };

type Answer<Of> = Of | Promise<Of>;

/** What a form posted. */
export interface PostedFields {
  /** Path and query to which. */
  path: string;
  /** A field's value; empty where it has none. */
  value(name: string): string;
}

export interface FormPlace {
  /** Path and query of a page. */
  page: string;
  /** Of the form there, where it is another one's than what was posted. */
  action?: string;
}

export interface ConsolePage {
  method: PageMethod;
  path: string;
  action: ConsoleAction;
  /** Of its form: never kept after a session has ended. */
  secretFields?: readonly string[];
  /** Its form carries a key by which the operator API knows a repeat. */
  knowsRepeats?: boolean;
  /** Where its form is shown, if not at its own address or one above it. */
  formAt?(posted: PostedFields): FormPlace;
  answer(call: PageCall): Answer<PageAnswer>;
}

export interface OpenPage {
  method: PageMethod;
  path: string;
  /** Answers a POST whose form need not be read: of who must wait, or has nothing to post here. */
  beforeForm?(call: OpenCall): OpenAnswer | null;
  answer(call: OpenCall): Answer<OpenAnswer>;
}

interface Declared<Path extends string> {
  method: PageMethod;
  /** `/messages/:code`, without a slash at its end. */
  path: Path;
}

export function page<const Path extends string>(
  declared: Declared<Path> &
    Pick<ConsolePage, "action" | "secretFields" | "knowsRepeats" | "formAt"> & {
      answer(call: PageCall<ParamsOf<Path>>): Answer<PageAnswer>;
    },
): ConsolePage {
  return declared;
}

export function openPage<const Path extends string>(
  declared: Declared<Path> & {
    beforeForm?(call: OpenCall<ParamsOf<Path>>): OpenAnswer | null;
    answer(call: OpenCall<ParamsOf<Path>>): Answer<OpenAnswer>;
  },
): OpenPage {
  return declared;
}

export const document = (view: VNode, status = 200): PageAnswer => ({ kind: "document", page: view, status });
export const partial = (piece: VNode, status = 200): PageAnswer => ({ kind: "partial", piece, status });
/** What a form made, shown this once; `to` is where it is found later. */
export const madePage = (view: VNode, to: string): PageAnswer => ({
  kind: "document",
  page: view,
  status: 200,
  made: to,
});
/** The form once more, with what was typed and what is wrong with it. */
export const formAgain = (view: VNode): PageAnswer => document(view, 422);
/** Always by GET. */
export const redirect = (to: string, notice?: VNode): PageAnswer => ({ kind: "redirect", to, notice });
export const download = (fileName: string, type: string, content: ReadableStream<Uint8Array> | string): PageAnswer => ({
  kind: "download",
  fileName,
  type,
  content,
});
