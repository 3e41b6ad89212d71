import { PasswordHasher } from "../../src/users/password.ts";

/** At a thousandth of the cost: the suite signs in several hundred times. */
export const quickHasher = (): PasswordHasher => new PasswordHasher(64);
