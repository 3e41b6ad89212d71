/** Parses from an intake's file who may call it: `caller`. */
import { type JsonFileReader, required } from "../json-file.ts";
import { type CallerProof, intakeLimits } from "./intake-template.ts";

const kinds = ["basic", "bearer", "header", "query", "standard-webhooks", "stamped", "body"] as const;
const headerName = { lengthMax: 100, pattern: /^[\w-]+$/, shape: "header_name" as const };
const toleranceDefault = 300;

/** `{"kind": "bearer"}`. If absent, the password of HTTP basic authentication. */
export function readCallerProof(reader: JsonFileReader): CallerProof {
  const proof = reader.section("caller", (caller) => {
    if (caller.value("kind") === undefined) caller.problem("kind", required);
    return readProof(caller, caller.choice("kind", kinds, "basic"), usualTolerance(reader));
  });
  return proof ?? { kind: "basic", username: null };
}

function readProof(caller: JsonFileReader, kind: (typeof kinds)[number], usual: number): CallerProof {
  switch (kind) {
    case "basic":
      return { kind, username: caller.text("username", null, { lengthMin: 1, lengthMax: 200 }) };
    case "bearer":
      return { kind };
    case "header":
      return { kind, name: caller.requiredText("name", headerName) };
    case "query":
      return { kind, name: caller.requiredText("name", { lengthMax: 100 }) };
    case "standard-webhooks":
      return { kind, toleranceSeconds: readTolerance(caller, usual) };
    case "stamped":
      return {
        kind,
        header: caller.requiredText("header", headerName),
        toleranceSeconds: readTolerance(caller, usual),
      };
    case "body":
      return {
        kind,
        header: caller.requiredText("header", headerName),
        prefix: caller.text("prefix", "", { lengthMax: 50 }),
        encoding: caller.choice("encoding", ["hex", "base64"], "hex"),
        timestampHeader: caller.text("timestampHeader", null, { lengthMin: 1, ...headerName }),
        separator: caller.text("separator", ":", { lengthMax: 5 }),
        toleranceSeconds: readTolerance(caller, usual),
      };
  }
}

const readTolerance = (caller: JsonFileReader, usual: number) =>
  caller.number("toleranceSeconds", usual, { min: 1, max: intakeLimits.toleranceSecondsMax });

/**
 * Half the time a key is kept: a signature is valid for the tolerance in either direction, and its key must last as
 * long.
 */
function usualTolerance(reader: JsonFileReader): number {
  const keySeconds = reader.value("keySeconds");
  if (typeof keySeconds !== "number" || keySeconds < 2) return toleranceDefault;
  return Math.min(toleranceDefault, Math.floor(keySeconds / 2));
}
