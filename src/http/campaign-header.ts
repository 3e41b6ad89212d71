/** `Peyk-Campaign`: the header that joins batches and group sends into one campaign. */
import { invalid } from "../domain/api-error.ts";
import { campaignNameMax, isCampaignName } from "../domain/campaign.ts";
import { headerTextPattern } from "../domain/header-text.ts";
import type { ParameterDeclaration } from "./operation.ts";

const name = "Peyk-Campaign";

export const campaignHeader: ParameterDeclaration = {
  name,
  in: "header",
  description:
    `A name of 1 to ${campaignNameMax} printable ASCII characters, without a comma before a space and without a space at its ends: requests of the account with the same name are one campaign, which ` +
    "the console and `peyk campaign` show, count and stop. It does not count among what makes a repeat another request. " +
    `Errors: \`invalid_format\`, whose \`field\` is \`${name}\`.`,
  schema: { type: "string", minLength: 1, maxLength: campaignNameMax, pattern: headerTextPattern },
  example: "yalda-1405",
};

/** Null if the request has none. Throws `validation_failed`. */
export function campaignIn({ headers }: Request): string | null {
  const given = headers.get(name);
  if (given === null || isCampaignName(given)) return given;
  const message = `must be 1 to ${campaignNameMax} printable ASCII characters, without a comma before a space`;
  throw invalid([{ field: name, code: "invalid_format", message }]);
}
