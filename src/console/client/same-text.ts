/** What a page does, written for a shell. */

/** By control; `a,b=c`: of several, whose values are joined so. */
export type Flags = Readonly<Record<string, string>>;

export interface SameCall {
  /** `account show :id`; of the public API: `POST /v1/messages`. */
  begin: string;
  /** Of the page's address; what it lacks stands in capitals. */
  params?: Readonly<Record<string, string>>;
  /**
   * A flag, or the field of a request's body; without a name an argument. At its end: `!` needed, `?` without a value, `#`
   * a number, `^` only where it was changed, `*` one for each word, `+` one for each entry, `[]` a list, `;` a place and its
   * name, `>` the last one typed, `~none` the word for what was emptied. `--account/--sender`: of both, by the first slash.
   * `--number|--text`: by what is typed. `{}`: within it.
   */
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
    const words = Object.entries(this.call.flags).flatMap(([controls, flag]) =>
      this.#given(controls, flag).map((value) => this.#flag(flag, value)),
    );
    const line = [`peyk ${this.#begin((word) => this.#quoted(word))}`, ...words];
    return line.join(" ").length > 60 ? this.#lines(line) : line.join(" ");
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

  /** What is typed into one control, or into several of one flag. */
  #typed(controls: string, flag: string): string[] {
    const [listed = "", weight] = controls.split("=");
    const names = listed.split(",");
    if (names.every((name) => this.valuesOf(name, flag.includes("^")).length === 0)) return [];
    const values = names.flatMap((name) => [...this.valuesOf(name, false)]);
    if (names.length > 1) {
      const said = values.filter((value) => value !== "");
      if (flag.includes(">") || said.length === 0) return said.slice(-1);
      const share = weight === undefined ? "" : this.#digits(this.valuesOf(weight, false)[0] ?? "");
      return [said.join(flag.includes(";") ? ":" : ",") + (share === "" ? "" : `=${share}`)];
    }
    if (flag.includes("#")) return values.map((value) => this.#digits(value));
    const by = flag.includes("*") ? /[\s,;،؛]+/ : /[,;،؛\n]+/;
    return /[*+]/.test(flag) ? values.flatMap((value) => value.split(by).map((piece) => piece.trim())) : values;
  }

  #given(controls: string, flag: string): string[] {
    const none = flag.split("~")[1] ?? "";
    const values = this.#typed(controls, flag)
      .map((value) => (value === "" ? none : value))
      .filter((value) => value !== "");
    return values.length === 0 && flag.includes("!") ? [controls.replace(/[,=].*/, "").toUpperCase()] : values;
  }

  #flag(flag: string, value: string): string {
    const bare = flag.replace(/~.*|[!*+#^>;](?!%)/g, "");
    if (bare.includes("{}")) {
      const span = value.replace(/^\D/, "1$&").replace(/h$/, "hour").replace(/d$/, "day");
      return bare.replace("{}", span);
    }
    if (bare.endsWith("?")) return bare.slice(0, -1);
    const [first = "", second] = bare.split("/");
    if (second !== undefined) {
      const at = value.indexOf("/");
      const account = at === -1 ? "ACCOUNT" : value.slice(0, at);
      return `${first} ${this.#quoted(account)} ${second} ${this.#quoted(value.slice(at + 1))}`;
    }
    const chosen = bare.includes("|") ? bare.split("|")[/^[+\d\s]{4,}$/.test(value) ? 0 : 1] : bare;
    if (chosen === "") return this.#quoted(value);
    return `${chosen}${value.startsWith("-") ? "=" : " "}${this.#quoted(value)}`;
  }

  #body(): Record<string, string | readonly string[]> {
    const body: Record<string, string | readonly string[]> = {};
    for (const [controls, flag] of Object.entries(this.call.flags)) {
      const values = this.#given(controls, flag);
      const [value] = values;
      const name = flag.replace(/[!*]|\[\]/g, "");
      if (/\*|\[\]/.test(flag)) body[name] = values;
      // A sender comes with its account.
      else if (value !== undefined) body[name] = name === "sender" ? value.replace(/^acc_\d+\//, "") : value;
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
