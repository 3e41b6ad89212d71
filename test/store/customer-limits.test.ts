/** The upgrade that begins to keep operators' limits: values that are there become limits, unless a customer chose them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const everything =
  "messages:send messages:read groups:send patterns:send otp:send inbound:read webhooks:manage senders:read";

const earlierData = `
  INSERT INTO account (id, name, status, created_at) VALUES (1, 'Clinic', 'active', 0);
  INSERT INTO console_user (id, name, role, account_id, created_at) VALUES (1, 'leila', 'owner', NULL, 0), (2, 'clinic', 'customer', 1, 0);
  INSERT INTO api_key (id, account_id, name, secret_hash, requests_per_minute, permissions, allow_from, expires_at, created_at) VALUES
    (1, 1, 'by an operator', x'01', 5, 'messages:read', '10.1.2.0/24', 9000, 0),
    (2, 1, 'open', x'02', NULL, '${everything}', NULL, NULL, 0),
    (3, 1, 'by the customer', x'03', 7, 'messages:read', '10.1.2.0/24', 9000, 0),
    (4, 1, 'by the customer, changed by the owner', x'04', 8, 'messages:send', NULL, NULL, 0),
    (5, 1, 'by a system user of the same name', x'05', 9, 'messages:send', NULL, NULL, 0);
  INSERT INTO credential (id, api_key_id, kind, name, secret_hash, traffic, rate_per_second, options, created_at) VALUES
    (1, 1, 'smpp', 'one', x'01', 'bulk', 3, '{"binds":1,"window":100}', 0),
    (2, 1, 'smpp', 'two', x'02', 'bulk', NULL, '{"binds":4,"window":2}', 0),
    (3, 1, 'kannel', 'three', x'03', 'bulk', 6, '{"hasShortSecret":false}', 0),
    (4, 1, 'smpp', 'four', x'04', 'bulk', 2, '{"binds":2,"window":2}', 0);
  INSERT INTO audit_entry (at, actor, origin, action, target, outcome) VALUES
    (1, 'root', 'socket', 'key.create', 'key_1', 'done'),
    (2, 'clinic', 'console 127.0.0.1', 'key.update', 'key_1', 'done'),
    (3, 'clinic', 'console 127.0.0.1', 'key.create', 'key_3', 'done'),
    (4, 'clinic', 'console 127.0.0.1', 'key.update', 'key_3', 'done'),
    (5, 'leila', 'console 127.0.0.1', 'key.update', 'key_3', 'refused'),
    (6, 'clinic', 'console 127.0.0.1', 'key.create', 'key_4', 'done'),
    (7, 'leila', 'console 127.0.0.1', 'key.update', 'key_4', 'done'),
    (8, 'clinic', 'socket', 'key.create', 'key_5', 'done'),
    (9, 'clinic', 'console 127.0.0.1', 'credential.create', 'cred_4', 'done');
`;

test("existing values become limits, unless a customer chose them", () => {
  const limits = migrations.findIndex(({ name }) => name === "customer_limits");
  const earlier = openDatabase(folder.path, 1_000, migrations.slice(0, limits));
  earlier.database.run(earlierData);
  earlier.close();
  const { database, close } = openDatabase(folder.path, 1_000, migrations.slice(0, limits + 1));
  const key = "operator_rate, operator_permissions, operator_allow_from, operator_expires_at";
  expect(database.query(`SELECT ${key} FROM api_key ORDER BY id`).values()).toEqual([
    [5, "messages:read", "10.1.2.0/24", 9000],
    [null, null, null, null],
    [null, null, null, null],
    [8, "messages:send", null, null],
    [9, "messages:send", null, null],
  ]);
  const credential = "operator_rate, operator_binds, operator_window";
  expect(database.query(`SELECT ${credential} FROM credential ORDER BY id`).values()).toEqual([
    [3, 1, null],
    [null, null, 2],
    [6, null, null],
    [null, null, null],
  ]);
  close();
});
