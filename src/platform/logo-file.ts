/** Reads the operator's logo at startup: a mistake in its path must not first show to a customer. */
import { readFileSync, statSync } from "node:fs";
import { errorMessage } from "./error-code.ts";

/** `portal.logo` cannot be used; the message says which file and why. */
export class LogoFileUnusable extends Error {
  override readonly name = "LogoFileUnusable";
  constructor(path: string, why: string) {
    super(`The file of portal.logo, ${path}, cannot be used: ${why}`);
  }
}

export interface Logo {
  type: "image/svg+xml" | "image/png";
  content: Uint8Array<ArrayBuffer>;
}

/** Every page loads it. */
const bytesMax = 64 * 1024;
const pngBeginning = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @throws LogoFileUnusable */
export function readLogo(path: string): Logo {
  try {
    if (statSync(path).size > bytesMax) throw new Error("it is larger than 64 kB");
    const content = new Uint8Array(readFileSync(path));
    if (pngBeginning.every((byte, index) => content[index] === byte)) return { type: "image/png", content };
    if (new TextDecoder().decode(content).includes("<svg")) return { type: "image/svg+xml", content };
    throw new Error("it is neither SVG nor PNG");
  } catch (reason) {
    throw new LogoFileUnusable(path, errorMessage(reason));
  }
}
