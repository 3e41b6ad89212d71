/** The purpose of the keyed hashes under which erased recipients are remembered. */
export const erasedRecipientsPurpose = "recipients that were erased";
