/** The presets and examples that an operator can choose from, in a terminal or a form. */

import {
  type CarrierExampleName,
  type CarrierPresetName,
  carrierExampleNames,
  carrierPresetNames,
} from "../../domain/carrier-preset.ts";
import { type JsonSchema, jsonSchemaOf } from "../route-file-schema.ts";
import { httpSecretKeys, readHttpOptions } from "./options.ts";
import { carrierExamples } from "./presets/examples.ts";
import type { CarrierPreset } from "./presets/preset.ts";
import { presets } from "./presets/presets.ts";

export interface CatalogueEntry {
  name: CarrierPresetName | CarrierExampleName;
  title: string;
  /** `preset`: a file names it; `example`: a whole template to edit and save. */
  kind: "preset" | "example";
  /** The public documents that a preset is based on; empty for an example. */
  source: string;
  /** What the carrier gives the operator, by key of the file. */
  needs: CarrierPreset["needs"];
  /** A file to begin with. */
  file: Readonly<Record<string, unknown>>;
  /** The format of such a file. */
  schema: JsonSchema;
}

function presetEntry(name: CarrierPresetName): CatalogueEntry {
  const { title, source, needs, example }: CarrierPreset = presets[name];
  const schema = jsonSchemaOf(readHttpOptions, httpSecretKeys, { preset: name });
  return { name, title, kind: "preset", source, needs, file: example, schema };
}

export function carrierCatalogue(): CatalogueEntry[] {
  const schema = jsonSchemaOf(readHttpOptions, httpSecretKeys);
  const examples = carrierExampleNames.map((name): CatalogueEntry => {
    const { title, file } = carrierExamples[name];
    return { name, title, kind: "example", source: "", needs: {}, file, schema };
  });
  return [...carrierPresetNames.map(presetEntry), ...examples];
}
