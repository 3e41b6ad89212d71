/** The console's pages as they are declared, for tests that ask for their addresses and never for an answer. */
import { consolePages } from "../../src/console/server/console-pages.ts";

/** Whatever is read of it is there, and has nothing in it either. */
const nothing: object = new Proxy({}, { get: () => nothing });

export const declaredPages = () => consolePages(Object.create(nothing));
