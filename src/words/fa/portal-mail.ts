/** Persian: mails to customers' people. */
import type { PortalMailTexts } from "../en/portal-mail.ts";
import { isolate } from "../isolate.ts";

export const persianPortalMails: PortalMailTexts = {
  invited: ({ service, name, url }) => ({
    subject: `${service}: دعوت شده‌اید`,
    text: `با نام ${isolate(name)} دعوت شده‌اید. با این پیوند گذرواژه برگزینید؛ یک بار و تا سه روز کار می‌کند:\n${url}`,
  }),
  confirm: ({ service, amount, url }) => ({
    subject: `${service}: نشانی خود را تأیید کنید`,
    text: `برای آن‌که وقتی موجودی به کمتر از ${isolate(amount)} می‌رسد با نامه خبر شوید، تا یک روز این پیوند را باز کنید:\n${url}\nاگر شما نخواسته‌اید، کاری نکنید.`,
  }),
  below: ({ service, account, left, amount, url }) => ({
    subject: `${service}: موجودی ${isolate(account)} کمتر از ${isolate(amount)} است`,
    text: `${isolate(left)} مانده است. پس از آن‌که موجودی بیشتر شود و باز کم شود، دوباره خبر می‌دهیم.\n${url}`,
  }),
};
