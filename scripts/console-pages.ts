/**
 * Writes the HTML of the seeded console's pages, so that two checkouts can be compared octet by octet (`diff -r`):
 * what each reader opens, what a form answers to wrong and to right values, in both languages. Two runs agree but for
 * what happens in the same moment: the order of callbacks, and how many messages one line of the ledger holds.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Language, languages } from "../src/console/language.ts";
import { type FormClient, signedInAs } from "../test/support/console.ts";
import { type FormControl, type PageForm, pageForms } from "../test/support/page-forms.ts";
import { comparableHtml, RepeatedRandom } from "../test/support/repeatable-pages.ts";
import { type SeededConsole, settled, startSeededConsole } from "../test/support/seeded-console.ts";

const { values } = parseArgs({
  options: { out: { type: "string", default: join(import.meta.dir, "..", "dist", "pages") } },
});

async function addMore({ api }: SeededConsole): Promise<void> {
  const template = { to: "{{to}}", text: "{{text}}" };
  const single = { key: "key_1", traffic: "single" } as const;
  await api("POST /credentials", { ...single, kind: "intake", name: "desk", template });
  await api("POST /credentials", { ...single, kind: "jasmin", name: "jasmin" });
  const requestKey = { from: "query" as const, name: "id" };
  const origins = { callbackOrigins: ["http://10.0.0.5:8000"], requestKey };
  await api("POST /credentials", { ...single, kind: "kannel", name: "kannel", ...origins });
  await api("POST /credentials", { key: "key_1", traffic: "bulk", kind: "smpp", name: "ended" });
  await api("POST /credentials/:id/revoke", { id: "cred_5" });
  await api("POST /users", { name: "gone", role: "support" });
  await api("POST /users/:name/disable", { name: "gone" });
  await api("PUT /alerts/receivers/webhook", { url: "https://alerts.example/sms" });
}

/** Answers of the clock's run, or that would end the reader's session or dial somewhere. */
const leftOut = /^\/(sign-out|preferences|menu|system\/diagnostics|.*\/(live|download|test)$|settings\/password)/;

/** How many pages of one shape are opened: `/keys/key_1` and `/keys/key_2` have one. */
const shapeMax = 4;
const shapeOf = (path: string) => path.replaceAll(/\/[^/]*\d[^/?]*/g, "/:one").replaceAll(/=[^&]*/g, "=");

class Visitor {
  readonly #client: FormClient;
  readonly #folder: string;
  readonly #names = new Map<string, number>();

  readonly forms = new Map<string, PageForm>();

  constructor(client: FormClient, folder: string) {
    this.#client = client;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Opens the page, and writes it down; returns its links. */
  async open(path: string): Promise<string[]> {
    const html = await this.#write(`get${path}`, await this.#client.get(path));
    for (const form of await pageForms(html)) {
      const { action, controls } = form;
      const key = `${shapeOf(action)} ${controls.map(({ name, type }) => name + type).join()}`;
      if (!leftOut.test(action) && !this.forms.has(key)) this.forms.set(key, { ...form, action: action || path });
    }
    return [...html.matchAll(/(?:href|hx-get)="(\/[^"#]*)/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  }

  async crawl(): Promise<void> {
    const paths = new Set(["/"]);
    const shapes = new Map<string, number>();
    for (const path of paths) {
      const shape = shapeOf(path);
      const seen = shapes.get(shape) ?? 0;
      shapes.set(shape, seen + 1);
      if (leftOut.test(path) || /^\/(assets|help|fonts)\//.test(path) || seen >= shapeMax) continue;
      for (const link of await this.open(path)) paths.add(link);
      const unknown = path.replace(/\/[a-z]+_\d+|\/[A-Za-z0-9]{10,}/, "/none_99");
      if (unknown !== path && seen === 0) paths.add(unknown);
    }
  }

  async post(kind: string, { action, controls }: PageForm, choose: (control: FormControl) => string | null) {
    const fields = new URLSearchParams();
    for (const control of controls) {
      const value = choose(control);
      if (control.name !== "" && value !== null) fields.append(control.name, value);
    }
    const answer = await this.#client.post(action, fields);
    await this.#write(kind + action, answer);
    const to = answer.headers.get("Location");
    if (to !== null) await this.#write(`after-${kind}${action}`, await this.#client.get(to));
  }

  async #write(what: string, answer: Response): Promise<string> {
    const text = await answer.text();
    weights.push({ what, bytes: Buffer.byteLength(text) });
    const name = what.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 120);
    const count = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, count);
    const { status, headers } = answer;
    const head = `${what}\n${status} ${headers.get("Content-Type")} ${headers.get("Location") ?? ""}\n`;
    writeFileSync(join(this.#folder, `${name}-${count}.html`), comparableHtml(head + text));
    written += 1;
    return text;
  }
}

const typed = new Set(["text", "textarea", "password", "number"]);
const wrong = ({ type, value }: FormControl) => (typed.has(type) ? "<?>" : value);
const empty = ({ type, value }: FormControl) => (typed.has(type) ? "" : type === "select" ? null : value);
const asShown = ({ type, value, choices }: FormControl) => (type === "select" ? (value ?? choices[0] ?? "") : value);

/** Forms that a page shows empty, with what makes something. */
const made: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/users": { name: "fresh", role: "support" },
  "/accounts/new": { name: "Fresh" },
  "/credentials/new": {
    key: "key_1",
    kind: "kannel",
    name: "fresh",
    traffic: "single",
    password: "a-password-of-its-own",
  },
  "/plans/-new": { name: "fresh" },
  "/patterns/new": { account: "acc_1", code: "fresh", name: "Fresh", text: "Hello {{name}}" },
  "/groups/new": { account: "acc_1", code: "fresh", name: "Fresh" },
  "/callbacks/new": { account: "acc_1", url: "https://fresh.example/sms", events: "message.status" },
  "/suppression": { number: "09121112222", note: "Asked." },
  "/routes/-new": { carrier: "simulator", name: "fresh", do: "save" },
  "/prices/-set": { list: "fresh", prefix: "98", price: "70" },
  "/inbound/phone": { from: "09121234567", to: "30001234", message: "Hello" },
};

let written = 0;
const weights: { what: string; bytes: number }[] = [];

async function visit(language: Language): Promise<void> {
  const seeded = await startSeededConsole({ random: new RepeatedRandom() });
  await addMore(seeded);
  await settled(seeded);
  const { owner, customer, nobody } = seeded.clients;
  const readers = {
    nobody,
    support: await signedInAs(seeded, "support", { name: "sam" }),
    customer,
    operator: await signedInAs(seeded, "operator", { name: "olivia" }),
    owner,
  };
  const folder = join(values.out, language);
  const visitors: [string, Visitor][] = Object.entries(readers).map(([reader, client]) => [
    reader,
    new Visitor(client, join(folder, reader)),
  ]);
  for (const client of Object.values(readers)) {
    await client.post("/preferences", { language, theme: "light", back: "/" });
  }
  for (const [reader, visitor] of visitors) {
    await visitor.crawl();
    for (const { path, form, reader: of } of seeded.pages) {
      if (of !== reader) continue;
      if (form === undefined) await visitor.open(path);
      else await visitor.post("seeded", { action: path, controls: controlsOf(form) }, asShown);
    }
  }
  for (const [, visitor] of visitors) {
    for (const form of visitor.forms.values()) {
      const hasText = form.controls.some(({ type }) => typed.has(type));
      if (hasText) await visitor.post("wrong", form, wrong);
      if (hasText) await visitor.post("empty", form, empty);
    }
  }
  for (const [, visitor] of visitors) {
    for (const [action, fields] of Object.entries(made)) {
      await visitor.post("made", { action, controls: controlsOf(fields) }, asShown);
    }
    for (const form of visitor.forms.values()) await visitor.post("shown", form, asShown);
    await settled(seeded);
    seeded.clock.forgetRates();
    await visitor.crawl();
  }
  await seeded.stop();
}

const controlsOf = (form: Readonly<Record<string, string>>): FormControl[] =>
  Object.entries(form).map(([name, value]) => ({ name, type: "hidden", value, choices: [] }));

rmSync(values.out, { recursive: true, force: true });
for (const language of languages) await visit(language);
console.log(`${written} pages in ${values.out}; the heaviest:`);
for (const { what, bytes } of weights.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5)) console.log(bytes, what);
process.exit(0);
