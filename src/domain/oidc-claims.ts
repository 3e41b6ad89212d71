/** What a provider says of a person, and which role that gives here. */

/** Why what it says lets nobody in. `claim`: which of its claims. */
export interface ClaimProblem {
  kind: "missing" | "wrong_type" | "too_many" | "no_match" | "account" | "acr";
  claim: string;
}

/** Nobody is in so many groups that mean something here, and each is compared with each role. */
export const claimValuesMax = 1_000;

export const isClaimProblem = (value: unknown): value is ClaimProblem =>
  typeof value === "object" && value !== null && "kind" in value && "claim" in value;

/** `realm_access.roles` leads into objects, unless the whole name is a claim itself. */
export function claimAt(claims: object, path: string): unknown {
  const own = (root: unknown, name: string): unknown =>
    typeof root === "object" && root !== null && Object.hasOwn(root, name) ? Reflect.get(root, name) : undefined;
  return own(claims, path) ?? path.split(".").reduce<unknown>(own, claims);
}

/** A text, or a list of texts. */
export function valuesAt(claims: object, claim: string): readonly string[] | ClaimProblem {
  const said = claimAt(claims, claim);
  if (said === undefined || said === null) return { kind: "missing", claim };
  const values: unknown[] = Array.isArray(said) ? said : [said];
  if (values.length > claimValuesMax) return { kind: "too_many", claim };
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? texts : { kind: "wrong_type", claim };
}

/** `roles`: VALUE=ROLE; of several matches, the first of the list. */
export function roleGiven<R extends string>(
  claims: object,
  claim: string,
  { mapping, roles }: { mapping: readonly string[]; roles: readonly R[] },
): R | ClaimProblem {
  const values = valuesAt(claims, claim);
  if (isClaimProblem(values)) return values;
  for (const entry of mapping) {
    const at = entry.lastIndexOf("=");
    const role = roles.find((one) => one === entry.slice(at + 1));
    if (role !== undefined && values.includes(entry.slice(0, at))) return role;
  }
  return { kind: "no_match", claim };
}

const nameLengthMax = 40;

/** A user's name made of what the provider calls the person; without Latin letters, of the end of its subject. */
export function userNameFrom(claims: object, subject: string): string {
  const called = [claimAt(claims, "preferred_username"), claimAt(claims, "email"), subject];
  const plain = called.map((text) => (typeof text === "string" ? plainName(text.slice(0, 200)) : ""));
  return plain.find((name) => name.length > 1) ?? "person";
}

const plainName = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9._@+-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, nameLengthMax);
