/** Passwords: which are accepted, and their argon2id hashes, computed one at a time in each lane (64 MB each). */
import commonPasswords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "file" };
import { type PasswordAsker, PasswordLanes } from "./password-lanes.ts";

export const passwordLengthMin = 10;
const passwordLengthMax = 256;
/** Shorter names occur in many words by chance. */
const nameLengthMin = 4;
/** Of argon2id, in KiB. */
const passwordMemory = 65_536;

export type PasswordProblem = "too_short" | "too_long" | "holds_name" | "common";

/** Read on first use: half a megabyte that nothing else needs. */
let common: Promise<ReadonlySet<string>> | null = null;

async function readCommon(): Promise<ReadonlySet<string>> {
  const words: readonly string[] = await Bun.file(commonPasswords).json();
  return new Set(words);
}

/** Null if the password is accepted. */
export async function passwordProblem(password: string, userName: string): Promise<PasswordProblem | null> {
  if (isTooLong(password)) return "too_long";
  if ([...password].length < passwordLengthMin) return "too_short";
  const plain = password.normalize("NFKC").toLowerCase();
  if (userName.length >= nameLengthMin && plain.includes(userName)) return "holds_name";
  common ??= readCommon();
  const words = await common;
  // A common password surrounded by digits and symbols is guessed next.
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

export class PasswordHasher {
  readonly #lanes = new PasswordLanes();
  readonly #memoryCost: number;
  #nobody: Promise<string> | null = null;

  /** In KiB: tests use less, because no real password is at stake. */
  constructor(memoryCost = passwordMemory) {
    this.#memoryCost = memoryCost;
  }

  /** @throws PasswordsBusy */
  hash(password: string, asker: PasswordAsker): Promise<string> {
    return this.#lanes.run(asker, () => this.#hashed(password));
  }

  /** Takes as long if there is no hash: the time must not reveal which users exist. @throws PasswordsBusy */
  async verify(password: string, hash: string | null, asker: PasswordAsker): Promise<boolean> {
    // Nobody has a longer one, and normalising 64 KB of accents took two seconds.
    if (isTooLong(password)) return false;
    return this.#lanes.run(asker, async () => {
      this.#nobody ??= this.#hashed(crypto.randomUUID());
      const isRight = await Bun.password.verify(password.normalize("NFKC"), hash ?? (await this.#nobody));
      return isRight && hash !== null;
    });
  }

  #hashed(password: string): Promise<string> {
    const cost = { algorithm: "argon2id", memoryCost: this.#memoryCost, timeCost: 2 } as const;
    return Bun.password.hash(password.normalize("NFKC"), cost);
  }
}
