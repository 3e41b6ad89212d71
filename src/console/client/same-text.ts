/** What a page does, written for a shell. */

/** A flag of a command, an argument, or a field of a request's body: what is typed into one control, or several. */
export interface Flag {
  /** `--note`, `clientReference`; empty: an argument. */
  name: string;
  as?: FlagForm | undefined;
  isNeeded?: boolean | undefined;
  /** Only where it was changed; `none`: the word for what was emptied. */
  isChange?: boolean | undefined;
  none?: string | undefined;
  /** Further controls, whose values are joined to that of the first, and the one with their weight. */
  with?: readonly string[];
  weight?: string;
}

/**
 * `switch`: without a value; `ago`: the time so long ago; `words`, `entries`: one for each; `list`: an array; `place`: of
 * several controls a place and its name, `last`: the last that is not empty; `sender`: with the flag of its account;
 * `recipient`: or, if it is no number, a reference.
 */
type FlagForm =
  | ("switch" | "number" | "seconds" | "ago" | "words" | "entries")
  | ("list" | "place" | "last" | "sender" | "recipient");

/** By control; a text: the name of a flag. */
export type Flags = Readonly<Record<string, string | Flag>>;

export interface SameCall {
  /** `account show :id`; of the public API: `POST /v1/messages`. */
  begin: string;
  /** Of the page's address; what it lacks stands in capitals. */
  params?: Readonly<Record<string, string>>;
  flags: Flags;
  /** Of a send: the control with the form's own key. */
  once?: string;
}

/** `isChange`: nothing, if it is as it was when the form was opened. */
export type TypedIn = (control: string, isChange: boolean) => readonly string[];

/** The browser runs the same source (../assets/assets.ts): nothing outside of the class may be used in it. */
export class SameText {
  constructor(
    private readonly call: SameCall,
    private readonly valuesOf: TypedIn,
  ) {}

  get text(): string {
    if (/^[A-Z]/.test(this.call.begin)) return this.#requests();
    const words = this.#flags.flatMap((flag) => this.#given(flag).map((value) => this.#written(flag, value)));
    const line = [`peyk ${this.#begin((word) => this.#quoted(word))}`, ...words];
    return line.join(" ").length > 60 ? this.#lines(line) : line.join(" ");
  }

  get #flags(): (Flag & { control: string })[] {
    const flags = Object.entries(this.call.flags);
    return flags.map(([control, flag]) => ({ control, ...(typeof flag === "string" ? { name: flag } : flag) }));
  }

  #begin(written: (value: string) => string): string {
    const { begin, params = {} } = this.call;
    return begin.replace(/(?<=[ /]):([a-z]+)/g, (_, name: string) => written(params[name] ?? name.toUpperCase()));
  }

  #lines(words: readonly string[]): string {
    return words.join(" \\\n  ");
  }

  #quoted(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  }

  #digits(text: string): string {
    return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16)).replace(/[\s,٬_]/g, "");
  }

  #typed({ control, with: more = [], weight, as, isChange = false }: Flag & { control: string }): string[] {
    const names = [control, ...more];
    if (names.every((name) => this.valuesOf(name, isChange).length === 0)) return [];
    const values = names.flatMap((name) => [...this.valuesOf(name, false)]);
    if (names.length > 1) {
      const said = values.filter((value) => value !== "");
      if (as === "last" || said.length === 0) return said.slice(-1);
      const share = weight === undefined ? "" : this.#digits(this.valuesOf(weight, false)[0] ?? "");
      return [said.join(as === "place" ? ":" : ",") + (share === "" ? "" : `=${share}`)];
    }
    if (as === "number" || as === "seconds") return values.map((value) => this.#digits(value));
    if (as !== "words" && as !== "entries") return values;
    const by = as === "words" ? /[\s,;،؛]+/ : /[,;،؛\n]+/;
    return values.flatMap((value) => value.split(by).map((piece) => piece.trim()));
  }

  #given(flag: Flag & { control: string }): string[] {
    const values = this.#typed(flag)
      .map((value) => value || (flag.none ?? ""))
      .filter((value) => value !== "");
    return values.length === 0 && flag.isNeeded ? [flag.control.toUpperCase()] : values;
  }

  #written({ name, as }: Flag, value: string): string {
    if (as === "switch") return name;
    if (as === "seconds") return `${name} ${value.replace(/\d$/, "$&s")}`;
    if (as === "ago") {
      const span = value.replace(/^\D/, "1$&").replace(/h$/, "hour").replace(/d$/, "day");
      return `${name} "$(date -u -d -${span} +%FT%TZ)"`;
    }
    if (as === "sender") {
      const [, account = "ACCOUNT", sender = ""] = /^(?:([^/]*)\/)?(.*)$/s.exec(value) ?? [];
      return `--account ${this.#quoted(account)} ${name} ${this.#quoted(sender)}`;
    }
    const flag = as === "recipient" && !/^[+\d\s]{4,}$/.test(value) ? "--reference" : name;
    return `${flag}${flag === "" ? "" : value.startsWith("-") ? "=" : " "}${this.#quoted(value)}`;
  }

  #body(): Record<string, string | readonly string[]> {
    const body: Record<string, string | readonly string[]> = {};
    for (const flag of this.#flags) {
      const values = this.#given(flag);
      const [value] = values;
      if (flag.as === "words" || flag.as === "list") body[flag.name] = values;
      else if (value !== undefined) body[flag.name] = flag.as === "sender" ? value.replace(/^acc_\d+\//, "") : value;
    }
    return body;
  }

  #requests(): string {
    const body = this.#body();
    if (this.call.once !== undefined) return this.#sends(this.call.once, body);
    return this.#curl("", Object.keys(body).length === 0 ? undefined : body);
  }

  #curl(way: string, body: unknown, key?: string): string {
    const [method, path] = this.#begin(encodeURIComponent).split(" ");
    return this.#lines([
      `curl${method === "GET" ? "" : ` -X ${method}`} "$SMS_URL${path}${way}"`,
      '-H "X-API-Key: $SMS_KEY"',
      ...(key === undefined ? [] : [`-H "Idempotency-Key: ${key}"`]),
      ...(body === undefined
        ? []
        : [
            '-H "Content-Type: application/json"',
            `-d ${this.#quoted(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`,
          ]),
    ]);
  }

  /** One request, a batch of up to 500, or one for each at a later time; the first three of them. */
  #sends(once: string, { recipient, message, clientReference, ...shared }: Record<string, unknown>): string {
    const all = Array.isArray(recipient) ? recipient : [];
    const each = { message, ...(clientReference !== undefined && { clientReference }) };
    const isLater = "sendAt" in shared;
    const size = isLater || all.length === 1 ? 1 : 500;
    const key = this.valuesOf(once, false)[0] ?? "$(uuidgen)";
    const calls = Array.from({ length: Math.ceil(all.length / size) }, (_, index) => {
      const messages = all.slice(index * size, (index + 1) * size).map((one) => ({ recipient: one, ...each }));
      const body = size === 1 ? { ...shared, ...messages[0] } : { ...shared, messages };
      const way = size > 1 ? "/batch" : isLater ? "/scheduled" : "";
      return this.#curl(way, body, index === 0 ? key : `${key}-${index + 1}`);
    });
    return [...calls.slice(0, 3), ...(calls.length > 3 ? [`# +${calls.length - 3}`] : [])].join("\n\n");
  }
}
