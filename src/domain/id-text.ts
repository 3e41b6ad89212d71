/** Ids as shown to operators: `acc_1`, `key_7`, `cred_3`. */

export const accountIdText = (id: number) => `acc_${id}`;
export const campaignIdText = (id: number) => `camp_${id}`;
export const keyIdText = (id: number) => `key_${id}`;
export const credentialIdText = (id: number) => `cred_${id}`;
export const passkeyIdText = (id: number) => `pk_${id}`;
export const ruleIdText = (id: number) => `rule_${id}`;
export const tokenIdText = (id: number) => `tok_${id}`;
