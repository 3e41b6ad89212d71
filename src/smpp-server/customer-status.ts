/**
 * How customers' requests are answered: SMPP 3.4 command statuses (§5.1.3) by name, and the status of each of our
 * refusals.
 */
import { ApiError, type ApiErrorCode } from "../domain/api-error.ts";
import { namedStatus } from "../smpp/constants.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { RequestRefused } from "./field-reader.ts";

export const customerStatus = {
  ok: 0x00,
  invalidMessageLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommandId: 0x03,
  invalidBindStatus: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  invalidMessageId: 0x0c,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  cancelFailed: 0x11,
  replaceFailed: 0x13,
  queueFull: 0x14,
  invalidServiceType: 0x15,
  submitFailed: 0x45,
  throttled: 0x58,
  invalidSchedule: 0x61,
  invalidExpiry: 0x62,
  invalidParameter: 0xc4,
} as const;

/**
 * What acceptance may refuse with. Clients repeat a submit that was throttled, or met a full queue or a system error,
 * some of them forever: those statuses are used only where waiting helps.
 */
const statusByCode: Partial<Record<ApiErrorCode, number>> = {
  sender_not_permitted: customerStatus.invalidSource,
  message_not_found: customerStatus.invalidMessageId,
  message_not_cancellable: customerStatus.cancelFailed,
  service_unavailable: customerStatus.systemError,
  rate_limit_exceeded: customerStatus.throttled,
};

/** What a refusal is called in the account's errors: as the API or a draft names it, else by its status. */
export function refusalCodeOf(reason: unknown, status: number): string {
  if (reason instanceof ApiError) return reason.code;
  const { code = null } = reason instanceof RequestRefused ? reason : {};
  return code ?? namedStatus(status).statusName ?? "ESME_RUNKNOWNERR";
}

/** The status for a submit's error; null for a defect of ours, which must be logged. */
export function submitStatusOf(reason: unknown): number | null {
  if (reason instanceof StoreUnavailable) return customerStatus.systemError;
  // Quota, balance, suspension, permission, a revoked key: repeating would fail as well.
  if (reason instanceof ApiError) return statusByCode[reason.code] ?? customerStatus.submitFailed;
  return null;
}
