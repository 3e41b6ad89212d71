/** Accepted messages of a credential by the hour, sampled from totals. */
import { expect, test } from "bun:test";
import { CredentialHours } from "../../src/operator/credential-hours.ts";
import { ManualClock } from "../support/manual-clock.ts";

const hourMs = 3_600_000;

test("what is accepted counts for its hour, is forgotten after a day, and may begin again from zero", async () => {
  const clock = new ManualClock();
  let accepted = 0;
  const hours = new CredentialHours({ clock, uses: () => [{ credentialId: 7, accepted }] });
  hours.start();
  const last = () => hours.of(7).slice(-3);
  accepted = 10;
  expect(last()).toEqual([0, 0, 10]);
  await clock.advance(hourMs);
  accepted = 14;
  expect(last()).toEqual([0, 10, 4]);
  // A credential that was revoked and made again.
  accepted = 0;
  expect(last()).toEqual([0, 10, 4]);
  accepted = 3;
  expect(last()).toEqual([0, 10, 7]);
  await clock.advance(24 * hourMs);
  expect(hours.of(7)).toEqual(Array.from({ length: 24 }, () => 0));
  expect(hours.of(8)).toHaveLength(24);
  hours.stop();
});
