/** Random tokens for links and sessions, and the hashes they are stored as. */
import { createHash } from "node:crypto";
import type { Random } from "../platform/random.ts";

/** 256 bits cannot be guessed, so a fast hash is enough. */
const tokenBytes = 32;

export const newToken = (random: Random): string => Buffer.from(random.bytes(tokenBytes)).toString("base64url");
export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();
