/** What clients built on third-party SMPP libraries say about a refused bind: its reason, not that a connection ended. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { ForeignEsme, refusedEsmes, removeEsmes } from "../support/foreign-esme.ts";

setDefaultTimeout(900_000);
afterAll(removeEsmes);

/** Each library's spelling of 0x0E, ESME_RINVPASWD. */
const spelled: Readonly<Record<string, RegExp>> = {
  jsmpp: /0000000e/i,
  Cloudhopper: /0x0000000E|\[0xE\]/i,
  smpplib: /\b14\b/,
  "npm smpp": /^status 14 of peyk$/,
  gosmpp: /invalid password/i,
  rusmpp: /InvalidPassword|EsmeRinvpaswd/i,
  aiosmpplib: /ESME_RINVPASWD/,
};

for (const [library, { missing, make }] of Object.entries(refusedEsmes)) {
  describe.skipIf(missing.length > 0)(`${library} ${missing.length > 0 ? `(wants ${missing.join(", ")})` : ""}`, () => {
    test("reports that the password is wrong", async () => {
      const program = await make();
      const server = await CustomerServer.start();
      try {
        const { systemId } = server.customer;
        const esme = new ForeignEsme(program, [String(server.port), systemId, "wrong123", "refused", "0"]);
        const { words } = await esme.toldAtEnd("refused");
        expect(words).toMatch(spelled[library] ?? /./);
      } finally {
        await server.stop();
      }
    });
  });
}
