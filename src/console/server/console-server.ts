/** Answers the requests of one listener of the console: host, origin, session, permission, then the page. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import type { Clock } from "../../platform/clock.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { TurnShare } from "../../platform/turn-share.ts";
import type { SessionService } from "../../users/session-service.ts";
import { type Asset, assetResponse, assetsPath, findAsset } from "../assets/assets.ts";
import { formNumberField } from "../components/post-form.tsx";
import { type FormEntries, FormFields } from "../forms/form-fields.ts";
import { FormReader } from "../forms/form-reader.ts";
import { FormRefused } from "../forms/form-refusal.ts";
import { type SavedForms, savedFormMs } from "../forms/saved-forms.ts";
import { flowIn, formCookie, formTicketIn, lookIn, sessionTokenIn } from "../page/cookies.ts";
import { admits, type ListenerSide } from "../page/listener-side.ts";
import type { ConsolePage, OpenCall, OpenPage, PageAnswer, PageCall } from "../page/page.ts";
import type { Viewer } from "../page/viewer.ts";
import type { Visit } from "../page/visit.ts";
import { enrolPaths } from "../places/settings/second-factor-pages.tsx";
import { type Answers, isFromScript, isStoreRefusal, refused, repeatAnswer } from "./answers.tsx";
import type { FormRepeats } from "./form-repeats.ts";
import { mayPack } from "./page-compression.ts";
import type { FoundPage, PageTable } from "./page-table.ts";
import { savedFormPath } from "./saved-form-pages.tsx";
import { isOwnPost, type OriginOf } from "./served-hosts.ts";
import type { Viewers } from "./viewers.ts";

export interface ConsoleServerDeps {
  side: ListenerSide;
  pages: PageTable;
  originOf: OriginOf;
  viewers: Viewers;
  answers: Answers;
  savedForms: SavedForms;
  formRepeats: FormRepeats;
  turns: TurnShare;
  sessions: Pick<SessionService, "formerUser" | "isOpen">;
  clock: Pick<Clock, "after">;
  /** Of the side's brand, by URL. */
  brandAssets: ReadonlyMap<string, Asset>;
}

const isOpenToAll = (found: FoundPage | null) => found !== null && "fromElsewhere" in found.page;
const isConsolePage = (page: ConsolePage | OpenPage): page is ConsolePage => "action" in page;

export class ConsoleServer {
  readonly #forms: FormReader;

  constructor(private readonly deps: ConsoleServerDeps) {
    this.#forms = new FormReader(deps.clock);
  }

  async answer(request: Request, client: Pick<Visit, "address" | "mayBeSilent">): Promise<Response> {
    const origin = this.deps.originOf(request);
    const url = URL.parse(request.url);
    if (origin === null || url === null) {
      return refused(421, "This name is not served here: see console.url and portal.url in the settings of Peyk.");
    }
    if (url.pathname.startsWith(assetsPath)) return this.#assetAt(url.pathname, request);
    const found = this.deps.pages.find(request.method, url.pathname);
    const isReading = ["GET", "HEAD"].includes(request.method);
    if (found === "wrongMethod") return refused(405, "This address takes no such request.");
    if (found === null && !isReading) return refused(404, "There is no such page.");
    if (!isReading && !isOpenToAll(found) && !isOwnPost(request, origin)) {
      return refused(403, "This was not sent by a page of this console, so nothing was done.");
    }
    const visit = { ...client, side: this.deps.side, request, origin, url, path: url.pathname + url.search };
    if (found !== null && !isConsolePage(found.page)) return this.#open(visit, found.page, found.params);
    return this.#signedIn(visit, found);
  }

  #assetAt(path: string, { headers }: Request): Response {
    const asset = findAsset(path) ?? this.deps.brandAssets.get(path) ?? null;
    if (asset === null) return refused(404, "There is no such file.");
    return assetResponse(asset, headers.get("Accept-Encoding"));
  }

  /** Only signed-in users learn which pages exist. */
  async #signedIn(visit: Visit, found: FoundPage | null): Promise<Response> {
    const { viewers, answers, side } = this.deps;
    const { request } = visit;
    const token = sessionTokenIn(request, side);
    const viewer = token === null ? null : await viewers.of(token, side, lookIn(request));
    if (viewer === null) return this.#signedOut(visit, token, found?.page);
    const page = found?.page;
    if (page === undefined || !isConsolePage(page) || !roleMay(viewer.role, page.action)) {
      return answers.notFound(visit, viewer);
    }
    const mustEnrol = viewer.mustHaveFactor && !viewer.secondFactor;
    if (mustEnrol && !enrolPaths.some((path) => page.path.startsWith(path))) return answers.enrolFirst(visit);
    try {
      return await this.#page(visit, page, found?.params ?? {}, viewer);
    } catch (reason) {
      return answers.failed(visit, viewer, reason, page.path);
    }
  }

  /** To sign-in, and from there back to the previous page, or to the form that was saved. */
  async #signedOut(visit: Visit, token: string | null, page: FoundPage["page"] | undefined): Promise<Response> {
    const { answers, side } = this.deps;
    const ticket = token === null ? null : await this.#keepForm(visit, token, page);
    const response = answers.signedOut(visit, ticket === null ? null : savedFormPath);
    if (ticket !== null) {
      const isSecure = visit.origin.startsWith("https:");
      response.headers.append("Set-Cookie", formCookie(side, ticket, savedFormMs, isSecure));
    }
    return response;
  }

  /**
   * Saves what a browser without scripts posted after its session had ended; with scripts the fields stay on their
   * page. Null if there is nothing to save. Forms of a user's own settings contain secrets and are not saved, and
   * nothing is read from strangers.
   */
  async #keepForm(visit: Visit, token: string, page: FoundPage["page"] | undefined): Promise<string | null> {
    const { savedForms, sessions, side } = this.deps;
    const { request, path, address } = visit;
    if (request.method !== "POST" || page === undefined || !isConsolePage(page) || isFromScript(visit)) return null;
    const user = sessions.formerUser(token);
    if (page.action === "own.settings" || user === null || !admits(side, user.role)) return null;
    try {
      const data = await this.#forms.ofFormerUser(request, address);
      const ticket = savedForms.keep({ path, data, secretFields: page.secretFields ?? [], userId: user.id, address });
      // A browser has only one ticket.
      const before = formTicketIn(request, side);
      if (ticket !== null && before !== null) savedForms.drop(before);
      return ticket;
    } catch (reason) {
      if (reason instanceof FormRefused || reason instanceof OperatorError) return null;
      throw reason;
    }
  }

  async #page(visit: Visit, page: ConsolePage, params: object, viewer: Viewer): Promise<Response> {
    const { viewers, answers, turns, sessions, side } = this.deps;
    const { request, path } = visit;
    const locale = viewers.localeFor(viewer);
    const form = await formOf(request, () => this.#forms.ofUser(request, viewer.userId));
    // A form may take as long to arrive as its sender likes.
    if (request.method === "POST" && !sessions.isOpen(viewer)) return answers.signedOut(visit, null);
    const call = {
      ...callOf(visit, params, side),
      form,
      ...viewers.accessOf(viewer, visit.address),
      viewer,
      locale,
      shell: viewers.shellOf(viewer, visit.path),
    };
    try {
      const answer = await this.#answerOnce(page, call, visit.url.pathname);
      // Building the view can take up to 9 ms with cold code, and rendering as long again.
      await nextTurn();
      return await turns.run(() => answers.write(answer, locale, mayPack(visit, page.path), { visit, viewer }));
    } catch (reason) {
      if (request.method !== "POST" || !isStoreRefusal(reason)) throw reason;
      return answers.notStored(visit, viewer, reason, { path, fields: form.typed(page.secretFields ?? []) });
    }
  }

  /** Answers a repeated form with the result of the first one. */
  async #answerOnce(page: ConsolePage, call: PageCall, path: string): Promise<PageAnswer> {
    const act = async () => page.answer(call);
    if (page.method !== "POST" || page.knowsRepeats === true) return act();
    const { form: fields, viewer } = call;
    const form = {
      session: viewer,
      number: fields.text(formNumberField),
      path,
      fields: fields.fingerprint(),
    };
    const sent = await this.deps.formRepeats.answer(form, act);
    return sent.isRepeat ? repeatAnswer(sent) : sent.answer;
  }

  async #open(visit: Visit, page: OpenPage, params: object): Promise<Response> {
    const { viewers, answers, side } = this.deps;
    const { request, origin } = visit;
    const look = lookIn(request);
    const locale = viewers.localeOf(look, side);
    const call: OpenCall = {
      ...callOf(visit, params, side),
      form: new FormFields(),
      locale,
      look,
      side,
      owner: viewers.serviceNameAt(side),
      token: sessionTokenIn(request, side),
      flow: flowIn(request, side),
      isSecure: origin.startsWith("https:"),
      isFromElsewhere: request.headers.get("Sec-Fetch-Site") === "cross-site",
    };
    try {
      const early = request.method === "POST" ? page.beforeForm?.(call) : undefined;
      const read = () => this.#forms.ofStranger(request, visit.address);
      const answer = early ?? (await page.answer({ ...call, form: await formOf(request, read) }));
      const response = answers.write(answer, locale, mayPack(visit, page.path));
      const { cookies = [], retryAfterMs } = answer;
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      if (retryAfterMs !== undefined) response.headers.set("Retry-After", String(Math.ceil(retryAfterMs / 1_000)));
      return response;
    } catch (reason) {
      return answers.failed(visit, null, reason, page.path);
    }
  }
}

function callOf(visit: Visit, params: object, side: ListenerSide) {
  const { request, url, path, address, origin, mayBeSilent } = visit;
  const isPiece = isFromScript(visit);
  const formTicket = formTicketIn(request, side);
  return {
    params,
    query: url.searchParams,
    path,
    address,
    origin,
    formTicket,
    isPiece,
    mayBeSilent,
    signal: request.signal,
  };
}

const formOf = async ({ method }: Request, read: () => Promise<FormEntries>): Promise<FormFields> =>
  new FormFields(method === "POST" ? await read() : undefined);
