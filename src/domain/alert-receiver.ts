/** Who gets alerts by each channel. */
import type { MailSecurity } from "./mail-security.ts";

export const mailAddressForm = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,255}$/;

export interface AlertReceiverValues {
  webhook: { url: string };
  mail: {
    /** HOST:PORT. */
    server: string;
    security: MailSecurity;
    /** Empty: the server requires none. */
    user: string;
    from: string;
    to: readonly string[];
  };
  sms: {
    /** E.164. */
    to: readonly string[];
    sender: string;
    /** Preferred first; empty: all but simulators. */
    routes: readonly string[];
  };
}
