/** The purpose of the keyed hashes that identify erased recipients. */
export const erasedRecipientsPurpose = "recipients that were erased";
