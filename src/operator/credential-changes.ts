/** Changes of a credential after it was created: its rate, and the options of its protocol. */

import { Type as t } from "@sinclair/typebox";
import { readSmppCredential, type SmppCredentialOptions } from "../domain/credential.ts";
import { readDropInOptions } from "../domain/drop-in-credential.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { credentialFields } from "../fields/credential.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import { type OperatorCaller, setterOf } from "./caller.ts";
import {
  assertOwnFields,
  credentialAnswer,
  credentialAudit,
  credentialOwner,
  existingCredential,
  smppFields,
  smppOptionsOf,
} from "./credentials.ts";
import { assertMayAllow, type DropInInput, dropInFields, withDropIn } from "./drop-in-credentials.ts";
import { fieldSchemas } from "./field-schema.ts";
import { changes } from "./operation.ts";

const changeFields = {
  ...fieldSchemas(credentialFields),
  ...smppFields,
  ...dropInFields,
};

type OptionChange = Partial<SmppCredentialOptions> & DropInInput;

/** Throws OperatorError. */
function changedOptions({ kind, options }: CustomerCredential, change: OptionChange): object {
  return kind === "smpp"
    ? smppOptionsOf(change, readSmppCredential(options))
    : withDropIn(change, readDropInOptions(options));
}

export const credentialChangeAdmin = {
  "PATCH /credentials/:id": changes({
    may: "keys.change",
    scope: credentialOwner,
    /** Of SMPP, the options apply to binds that come later. */
    input: { id: t.String(), ...changeFields },
    run: async (deps, { id, rate, ...change }, { caller }: { caller: OperatorCaller }) => {
      const credential = existingCredential(deps, id);
      assertMayAllow(deps, change);
      assertOwnFields(credential.kind, change);
      const changesOptions = Object.values(change).some((value) => value !== undefined);
      if (rate === undefined && !changesOptions) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      const { service } = deps.credentials;
      const options = changesOptions ? (row: CustomerCredential) => changedOptions(row, change) : undefined;
      const { binds, window } = change;
      const changed = { rate, options, binds, window };
      return credentialAnswer(await service.change(credential.id, changed, setterOf(caller)), deps);
    },
    audit: { action: "credential.update", ...credentialAudit },
  }),
};
