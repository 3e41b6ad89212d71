/** English: mails to customers' people. `fa/portal-mail.ts` is the same in Persian; a mail has both. */

/** Amounts come with their currency. */
export interface PortalMailTexts {
  invited(values: { service: string; name: string; url: string }): Written;
  confirm(values: { service: string; amount: string; url: string }): Written;
  below(values: { service: string; account: string; left: string; amount: string; url: string }): Written;
}

interface Written {
  subject: string;
  text: string;
}

export const englishPortalMails: PortalMailTexts = {
  invited: ({ service, name, url }) => ({
    subject: `${service}: you are invited`,
    text: `You are invited as ${name}. Choose a password with this link; it works once, within three days:\n${url}`,
  }),
  confirm: ({ service, amount, url }) => ({
    subject: `${service}: confirm your address`,
    text: `To be told by mail when the balance falls below ${amount}, open this link within a day:\n${url}\nIf you did not ask for this, do nothing.`,
  }),
  below: ({ service, account, left, amount, url }) => ({
    subject: `${service}: the balance of ${account} is below ${amount}`,
    text: `${left} are left. You are told again once it has been higher in between.\n${url}`,
  }),
};
