/** Ids as operators read them: `acc_1`, `key_7`. */

export const accountIdText = (id: number) => `acc_${id}`;
export const keyIdText = (id: number) => `key_${id}`;
