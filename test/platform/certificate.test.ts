import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCertificate, servedCertificate } from "../../src/platform/certificate.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
afterAll(folder.remove);
const file = (name: string, content: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
};
const one = selfSigned("one.example");
const other = selfSigned("other.example");

describe("certificate files", () => {
  test("show their names and dates", () => {
    const issued = createAuthority().issue({
      names: ["DNS:a.example", "DNS:b.example"],
      notBefore: "20260101000000Z",
      notAfter: "20270101000000Z",
    });
    const certificate = readCertificate(file("c.pem", issued.cert), file("k.pem", issued.key));
    expect(certificate.names).toBe("DNS:a.example, DNS:b.example");
    expect(certificate.notBefore).toBe(Date.UTC(2026, 0, 1));
    expect(certificate.notAfter).toBe(Date.UTC(2027, 0, 1));
  });

  test("are refused by name if missing, empty, not PEM, broken, or with another certificate's key", () => {
    const cert = file("good.pem", one.cert);
    const key = file("good.key", one.key);
    const cases: [string, string, RegExp][] = [
      [join(folder.path, "nowhere.pem"), key, /tls\.cert_file, .*nowhere\.pem, cannot be read: it does not exist\.$/],
      [cert, join(folder.path, "nowhere.key"), /tls\.key_file, .*nowhere\.key, cannot be read/],
      [file("empty.pem", ""), key, /empty\.pem, holds no PEM certificate/],
      [
        file("broken.pem", one.cert.replace(/\n\w{20}/, "\nAAAAAAAAAAAAAAAAAAAA")),
        key,
        /broken\.pem, cannot be used: a certificate in it is damaged\.$/,
      ],
      [cert, file("text.key", "no key"), /text\.key, cannot be used: it holds no private key in PEM/],
      [cert, file("other.key", other.key), /other\.key is not the key of the first certificate in .*good\.pem/],
    ];
    for (const [certFile, keyFile, words] of cases) expect(() => readCertificate(certFile, keyFile)).toThrow(words);
  });

  test("keep the old certificate while invalid, and replace it once valid", () => {
    const certFile = file("live.pem", one.cert);
    const keyFile = file("live.key", one.key);
    const served = servedCertificate({ certFile, keyFile }, silentLog);
    const renewals: string[] = [];
    const renew = ({ names }: { names: string }) => renewals.push(names);
    file("live.pem", other.cert);
    expect(served.reload(renew)).toMatchObject({
      refused: expect.stringContaining("is not the key of the first certificate"),
      served: { names: "DNS:one.example" },
    });
    expect(renewals).toEqual([]);
    expect(served.current()?.names).toBe("DNS:one.example");
    file("live.key", other.key);
    expect(served.reload(renew)).toMatchObject({ refused: null, served: { names: "DNS:other.example" } });
    expect(renewals).toEqual(["DNS:other.example"]);
    expect(served.current()?.names).toBe("DNS:other.example");
  });

  test("that are not set make a reload do nothing", () => {
    const served = servedCertificate({ certFile: null, keyFile: null }, silentLog);
    served.reload(() => {
      throw new Error("nothing to renew");
    });
    expect(served.current()).toBeNull();
  });
});
