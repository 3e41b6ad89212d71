/** Passwords: which are taken, and their argon2id hashes, computed one at a time in each lane (64 MB each). */
import commonPasswords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "file" };
import { type PasswordAsker, PasswordLanes } from "./password-lanes.ts";

export const passwordLengthMin = 10;
const passwordLengthMax = 256;
/** Shorter names stand in many words by chance. */
const nameLengthMin = 4;
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

export class PasswordHasher {
  readonly #lanes = new PasswordLanes();
  #nobody: Promise<string> | null = null;

  /** @throws PasswordsBusy */
  hash(password: string, asker: PasswordAsker): Promise<string> {
    return this.#lanes.run(asker, () => hashed(password));
  }

  /** Takes as long where there is no hash: the time must not tell which users exist. @throws PasswordsBusy */
  async verify(password: string, hash: string | null, asker: PasswordAsker): Promise<boolean> {
    // Nobody has a longer one, and 64 KB of accents were put into order for two seconds.
    if (isTooLong(password)) return false;
    return this.#lanes.run(asker, async () => {
      this.#nobody ??= hashed(crypto.randomUUID());
      const isRight = await Bun.password.verify(password.normalize("NFKC"), hash ?? (await this.#nobody));
      return isRight && hash !== null;
    });
  }
}

const hashed = (password: string) => Bun.password.hash(password.normalize("NFKC"), argon2id);
