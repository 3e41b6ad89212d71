/** Why a rule of a line sends nothing, by its code; the others are the public API's. */
export const heldBackWords = {
  not_mobile: "it is no mobile number",
  own_line: "it is a line of this service, or the sender",
  country_not_allowed: "the account may not send to its country",
  hourly_limit: "it got as many in the last hour as it may",
  daily_limit: "it got as many in the last day as it may",
  sender_not_permitted: "neither the line nor the default is an active sender of the account",
  account_suspended: "the account is suspended",
  quota_exceeded: "the quota is used up",
  balance_exhausted: "the balance does not cover it",
};
