/**
 * The kit of usual pages: one that shows something, a form, a form among others, the question before something
 * irreversible, and a button.
 * A place gives what is its own; the frame, the round of a form, its refusals and permissions are here.
 *
 *     const { shown, form, question, button } = usualPages("accounts", { read: "accounts.read", change: "accounts.change" });
 *
 *     export const accountsPages = [
 *       shown("/accounts/:id", async ({ api, params }) => <AccountPage {...await api("GET /accounts/:id", params)} />),
 *       ...form("/accounts/new", {
 *         load: () => ({ texts: { name: "" } }),
 *         View: NewAccountPage,
 *         async run({ api, locale }, { texts: { name } }) {
 *           const { id } = await api("POST /accounts", { name });
 *           return done(`/accounts/${id}`, accountsWords[locale.language].created(name));
 *         },
 *       }),
 *     ];
 *
 * - A view takes what was loaded; it adds no interface that repeats it. What it knows of its reader comes from
 *   `useShell()`, `useMay("accounts.change")`, `useIsCustomer()`; its words from `useWords(accountsWords)`. It is a
 *   `PageLayout`, a `CollectionPage`, or a `FormPage` whose controls are `{...control("name")}` of `controlsOf(texts, errors)`.
 * - `live`: a page that stays current while it is open: `load` reads what it shows, `View` draws it;
 *   `beside` reads once what does not change, or what costs more.
 * - `form`: a GET shows what `load` gives. A POST loads it too, puts what was posted in its `texts`, and runs. What the
 *   operator API refuses is shown at the fields that it names, with what was typed; a refusal that names none at that of
 *   `refusedAt: { plan_exists: "name" }`, and `refused` says so of anything else. What is
 *   wrong before anything is asked of it: `return again({ errors: { amount: say.amountWrong } })`. `again({ trial })` shows
 *   the form with something more and without errors. Its `typed` reads what are no texts by name; with `mergedTexts` it merges
 *   what two people change, and its errors show the form again before it runs.
 * - `part`: a form on a page that shows more than it, posted to an address of its own; `page` draws that page with what was typed.
 * - `question`: `ask` gives words such as `{ question: (name) => …, goes, stays, doIt }`, the name, and the way back.
 * - `button`: a POST without a form of its own. A refusal that is an outcome: `if (await isRefused(api(…), "plan_in_use"))`.
 * - Each takes another permission than its place's; `other` is a page of any kind, framed like these.
 */
import type { ComponentChildren, FunctionComponent, VNode } from "preact";
import { OperatorError, type OperatorErrorCode } from "../../domain/operator-error.ts";
import type { ConsoleAction } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import { ConfirmPage, type ConfirmView } from "../components/confirm.tsx";
import type { FieldErrors, Texts } from "../components/forms.tsx";
import { LiveProvider } from "../components/live.tsx";
import { type Place, ShellProvider } from "../components/navigation.tsx";
import type { Tone } from "../components/pill.tsx";
import { SamePageProvider } from "../components/same.tsx";
import type { Locale } from "../locale.ts";
import {
  type ConsolePage,
  type DeclaredPage,
  document,
  formAgain,
  type LiveLook,
  type PageAnswer,
  type PageCall,
  type ParamsOf,
  page,
  redirect,
} from "./page.ts";
import { type RefusedAt, refusedFields } from "./refusal.ts";
import type { Viewer } from "./viewer.ts";

type Eventually<T> = T | Promise<T>;
/** The same for all readers, or by reader. */
type PlaceFor = Place | ((viewer: Viewer) => Place);
type CallOf<Path extends string> = PageCall<ParamsOf<Path>>;

/** The form or the question once more, with these in place of what it showed. */
interface Again<View> {
  kind: "again";
  view: View;
}

export const again = <View extends object>(view: View): Again<View> => ({ kind: "again", view });

interface Told {
  tone?: Tone;
  /** A button or link beside it. */
  action?: ComponentChildren;
}

/** To another page, with what was done. */
export const done = (to: string, said: ComponentChildren, { tone = "ok", action }: Told = {}): PageAnswer =>
  redirect(
    to,
    <Notice tone={tone} action={action}>
      {said}
    </Notice>,
  );

/** To another page, with why nothing was done. */
export const notDone = (to: string, why: ComponentChildren): PageAnswer => done(to, why, { tone: "bad" });

/** Whether the operator API refused with one of these codes. @throws any other refusal */
export async function isRefused(asked: Promise<unknown>, ...codes: readonly OperatorErrorCode[]): Promise<boolean> {
  try {
    await asked;
    return false;
  } catch (reason) {
    if (reason instanceof OperatorError && codes.includes(reason.code)) return true;
    throw reason;
  }
}

/** What a form's page shows; every field is text. */
type FormView<View extends { texts: object }> = { texts: Texts<View["texts"]> };
type Shown<Path extends string> = (call: CallOf<Path>) => Eventually<VNode | PageAnswer>;
type Button<Path extends string> = (call: CallOf<Path>) => Eventually<PageAnswer>;
type Refusable<View> = Partial<View> & { errors?: FieldErrors };
type PostOptions = Partial<Pick<ConsolePage, "action" | "secretFields" | "knowsRepeats" | "formAt">>;

interface Live<Path extends string, Loaded extends object, Beside extends object> {
  /** What the page shows. Read once a second while the page is open. */
  load(call: CallOf<Path>): Eventually<Loaded>;
  /** What it shows beside that, and does not keep current. */
  beside?(call: CallOf<Path>, loaded: Loaded): Eventually<Beside>;
  View: FunctionComponent<Loaded & Partial<Beside>>;
  action?: ConsoleAction;
}

interface Round<Path extends string, View extends FormView<View>> extends PostOptions {
  /** What the form shows at first, or where to go instead. */
  load(call: CallOf<Path>): Eventually<View | PageAnswer>;
  /** What was posted, in place of what was loaded; without it, the fields of `texts`. */
  typed?(call: CallOf<Path>, loaded: View): Eventually<Refusable<View>>;
  run(call: CallOf<Path>, typed: View): Eventually<PageAnswer | Again<Refusable<View>>>;
  refusedAt?: RefusedAt;
  /** In place of that. @throws what is no refusal of this form */
  refused?(reason: unknown, call: PageCall, typed: NoInfer<View>): FieldErrors;
}

interface Form<Path extends string, View extends FormView<View>> extends Round<Path, View> {
  View: FunctionComponent<View & { errors: FieldErrors }>;
  /** The page shows more than the form: who may do this may open it. */
  opens?: ConsoleAction;
  /** Where it is posted, if not to its own address; with `formAt`. */
  postedTo?: string;
}

interface Part<Path extends string, View extends FormView<View>> extends Round<Path, View> {
  /** The page that has this form among others, with what was typed. */
  page(call: CallOf<Path>, typed: View & { errors: FieldErrors }): Eventually<VNode>;
}

type Sentence = string | ((name: string) => string);

/** The words of a question about something with a name. */
export interface QuestionWords {
  question: Sentence;
  goes: string | readonly string[];
  stays: string | readonly string[];
  doIt: Sentence;
  /** In place of "Leave it". */
  keep?: string;
}

interface Asked extends Pick<ConfirmView, "back" | "choices" | "typed">, Partial<Pick<ConfirmView, "action">> {
  words: QuestionWords;
  name?: string;
}

interface Question<Path extends string> {
  action?: ConsoleAction;
  ask(call: CallOf<Path>): Eventually<Asked | PageAnswer>;
  run(call: CallOf<Path>): Eventually<PageAnswer | Again<Partial<Asked>>>;
}

const answerKinds: Readonly<Record<PageAnswer["kind"], true>> = {
  document: true,
  partial: true,
  written: true,
  redirect: true,
  leave: true,
  download: true,
  events: true,
  live: true,
};

const isAnswer = (given: object): given is PageAnswer =>
  "kind" in given && typeof given.kind === "string" && Object.hasOwn(answerKinds, given.kind);

const isAgain = <View extends object>(given: PageAnswer | Again<View>): given is Again<View> => given.kind === "again";

/** What was posted of these fields. */
const postedTexts = <Fields extends Texts<Fields>>({ form }: PageCall, texts: Fields) =>
  Object.fromEntries(Object.keys(texts).map((name) => [name, form.text(name)])) as Fields;

function confirmViewOf({ words, name = "", ...asked }: Asked, { path, locale }: PageCall): ConfirmView {
  const said = (sentence: Sentence) => (typeof sentence === "string" ? sentence : sentence(name));
  return {
    question: said(words.question),
    goes: [words.goes].flat(),
    stays: [words.stays].flat(),
    doIt: said(words.doIt),
    keep: words.keep ?? locale.words.confirm.keep,
    action: path,
    ...asked,
  };
}

function framed(
  answer: PageAnswer,
  { shell, viewer, params }: PageCall<object>,
  place: PlaceFor,
  page: string,
): PageAnswer {
  const marked = typeof place === "string" ? place : place(viewer);
  const inFrame = (view: VNode) => (
    <ShellProvider value={shell(marked)}>
      <SamePageProvider value={{ page, params: Object.fromEntries(Object.entries<string>({ ...params })) }}>
        {view}
      </SamePageProvider>
    </ShellProvider>
  );
  if (answer.kind === "document") return { ...answer, page: inFrame(answer.page) };
  if (answer.kind === "live") {
    const { look } = answer;
    const inFrameAgain = ({ seen, page: drawn }: LiveLook) => ({ seen, page: inFrame(drawn) });
    return { ...answer, look: async (locale) => inFrameAgain(await look(locale)) };
  }
  return answer.kind === "partial" ? { ...answer, piece: inFrame(answer.piece) } : answer;
}

/** The stream of a live page, beside it. */
function streamOf({ path }: PageCall): string {
  const [page = "", query = ""] = path.split("?");
  return `${page}/live${query === "" ? "" : `?${query}`}`;
}

/** The form as it is opened, and what is answered when it is posted. `page`: what shows it. */
function formRound<Path extends string, View extends FormView<View>>({
  load,
  typed,
  run,
  ...declared
}: Part<Path, View>) {
  const refused =
    declared.refused ?? ((reason: unknown, { locale }: PageCall) => refusedFields(reason, locale, declared.refusedAt));
  async function shownForm(call: CallOf<Path>, view: View & { errors?: FieldErrors }): Promise<PageAnswer> {
    const { errors = {} } = view;
    const shown = await declared.page(call, { ...view, errors });
    return Object.keys(errors).length > 0 ? formAgain(shown) : document(shown);
  }
  async function opened(call: CallOf<Path>): Promise<PageAnswer> {
    const loaded = await load(call);
    return isAnswer(loaded) ? loaded : shownForm(call, loaded);
  }
  async function posted(call: CallOf<Path>): Promise<PageAnswer> {
    const loaded = await load(call);
    if (isAnswer(loaded)) return loaded;
    const read = typed ? await typed(call, loaded) : { texts: postedTexts<View["texts"]>(call, loaded.texts) };
    const view: View & { errors?: FieldErrors } = { ...loaded, ...read };
    if (Object.keys(view.errors ?? {}).length > 0) return shownForm(call, view);
    try {
      const answer = await run(call, view);
      return isAgain(answer) ? await shownForm(call, { ...view, ...answer.view }) : answer;
    } catch (reason) {
      return shownForm(call, { ...view, errors: refused(reason, call, view) });
    }
  }
  return { opened, posted };
}

function questionRound<Path extends string>({ ask, run }: Question<Path>) {
  const confirm = (asked: Asked, call: PageCall) => <ConfirmPage view={confirmViewOf(asked, call)} />;
  async function opened(call: CallOf<Path>): Promise<PageAnswer> {
    const asked = await ask(call);
    return isAnswer(asked) ? asked : document(confirm(asked, call));
  }
  async function posted(call: CallOf<Path>): Promise<PageAnswer> {
    const answer = await run(call);
    if (!isAgain(answer)) return answer;
    const asked = await ask(call);
    return isAnswer(asked) ? asked : formAgain(confirm({ ...asked, ...answer.view }, call));
  }
  return { opened, posted };
}

const postOptions = ({ action, secretFields, knowsRepeats, formAt }: PostOptions): PostOptions => ({
  ...(action && { action }),
  ...(secretFields && { secretFields }),
  ...(knowsRepeats && { knowsRepeats }),
  ...(formAt && { formAt }),
});

const othersIn =
  (place: PlaceFor) =>
  <const Path extends string>(declared: DeclaredPage<Path>): ConsolePage =>
    page({ ...declared, answer: async (call) => framed(await declared.answer(call), call, place, declared.path) });

export type UsualPages = ReturnType<typeof usualPages>;

/** `place`: marked in the column. `read` and `change`: who may open its pages, and use its forms, questions and buttons. */
export function usualPages(place: PlaceFor, { read, change }: { read: ConsoleAction; change: ConsoleAction }) {
  const other = othersIn(place);

  function shown<const Path extends string>(path: Path, view: Shown<Path>, action = read) {
    async function answer(call: CallOf<Path>): Promise<PageAnswer> {
      const given = await view(call);
      return isAnswer(given) ? given : document(given);
    }
    return other({ method: "GET", path, action, answer });
  }

  function live<const Path extends string, Loaded extends object, Beside extends object>(
    path: Path,
    { load, beside, View, action }: Live<Path, Loaded, Beside>,
  ) {
    const drawn = (stream: string, loaded: Loaded, more: Partial<Beside>) => (
      <LiveProvider value={stream}>
        <View {...loaded} {...more} />
      </LiveProvider>
    );
    const besideOf = async (call: CallOf<Path>, loaded: Loaded): Promise<Partial<Beside>> =>
      (await beside?.(call, loaded)) ?? {};
    const page = async (call: CallOf<Path>) => {
      const loaded = await load(call);
      return drawn(streamOf(call), loaded, await besideOf(call, loaded));
    };
    const stream = async (call: CallOf<Path>): Promise<PageAnswer> => {
      // Reports every problem with the request before the stream begins.
      const more = await besideOf(call, await load(call));
      const look = async (locale: Locale) => {
        const loaded = await load({ ...call, locale });
        return { seen: JSON.stringify(loaded), page: drawn("again", loaded, more) };
      };
      return { kind: "live", look };
    };
    const streaming: ConsolePage = {
      method: "GET",
      path: `${path}/live`,
      action: action ?? read,
      answer: async (call: CallOf<Path>) => framed(await stream(call), call, place, path),
    };
    return [shown(path, page, action), streaming] as const;
  }

  function button<const Path extends string>(path: Path, answer: Button<Path>, options: PostOptions = {}) {
    return other({ action: change, ...options, method: "POST", path, answer });
  }

  function form<const Path extends string, View extends FormView<View>>(path: Path, declared: Form<Path, View>) {
    const { View, action = change, opens = action, postedTo = path } = declared;
    const { opened, posted } = formRound<Path, View>({ ...declared, page: (_, typed) => <View {...typed} /> });
    return [
      other({ method: "GET", path, action: opens, answer: opened }),
      other({ ...postOptions(declared), method: "POST", path: postedTo, action, answer: posted }),
    ];
  }

  function part<const Path extends string, View extends FormView<View>>(path: Path, declared: Part<Path, View>) {
    return button(path, formRound(declared).posted, postOptions(declared));
  }

  function question<const Path extends string>(path: Path, { action = change, ...declared }: Question<Path>) {
    const { opened, posted } = questionRound(declared);
    return [other({ method: "GET", path, action, answer: opened }), button(path, posted, { action })];
  }

  return { shown, live, form, part, question, button, other };
}
