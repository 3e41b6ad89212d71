/** Passwords: which are taken, and their argon2id hashes, at most two computed at once (64 MB each). */
import commonPasswords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "file" };

export const passwordLengthMin = 10;
const passwordLengthMax = 256;
/** Shorter names stand in many words by chance. */
const nameLengthMin = 4;
const hashesAtOnceMax = 2;
const argon2id = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const;

export type PasswordProblem = "too_short" | "too_long" | "holds_name" | "common";

/** Read when first asked for: half a megabyte that no other work needs. */
let common: Promise<ReadonlySet<string>> | null = null;

async function readCommon(): Promise<ReadonlySet<string>> {
  const words: readonly string[] = await Bun.file(commonPasswords).json();
  return new Set(words);
}

/** Null for a password that is taken. */
export async function passwordProblem(password: string, userName: string): Promise<PasswordProblem | null> {
  if (isTooLong(password)) return "too_long";
  if ([...password].length < passwordLengthMin) return "too_short";
  const plain = password.normalize("NFKC").toLowerCase();
  if (userName.length >= nameLengthMin && plain.includes(userName)) return "holds_name";
  common ??= readCommon();
  const words = await common;
  // A common one with digits and signs around it is guessed next.
  const core = betweenLetters(plain);
  const isOneCharacter = new Set(plain).size < 4;
  return isOneCharacter || words.has(plain) || words.has(core) ? "common" : null;
}

/** In code points. */
const isTooLong = (password: string): boolean =>
  password.length > 2 * passwordLengthMax || [...password].length > passwordLengthMax;

/** From the first Latin letter to the last one. */
function betweenLetters(text: string): string {
  const letters = [...text.matchAll(/[a-z]/g)];
  return text.slice(letters[0]?.index ?? text.length, (letters.at(-1)?.index ?? text.length) + 1);
}

/** Lets so many run at once; the others wait in order. */
class Turnstile {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

export class PasswordHasher {
  readonly #turns = new Turnstile(hashesAtOnceMax);
  #nobody: Promise<string> | null = null;

  hash(password: string): Promise<string> {
    return this.#turns.run(() => Bun.password.hash(password.normalize("NFKC"), argon2id));
  }

  /** Takes as long where there is no hash: the time must not tell which users exist. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    // Nobody has a longer one, and 64 KB of accents were put into order for two seconds.
    if (isTooLong(password)) return false;
    this.#nobody ??= this.hash(crypto.randomUUID());
    const compared = hash ?? (await this.#nobody);
    const isRight = await this.#turns.run(() => Bun.password.verify(password.normalize("NFKC"), compared));
    return isRight && hash !== null;
  }
}
