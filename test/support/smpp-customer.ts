/**
 * A customer on a socket: requests encoded by the npm `smpp` package, answers as octets. Also sets up what it needs in
 * a data folder.
 */
import { connect, type Socket } from "node:net";
import { PDU } from "smpp";
import {
  credentialSecretsPurpose,
  defaultSmppOptions,
  type SmppCredentialOptions,
} from "../../src/domain/credential.ts";
import { type Permission, permissions } from "../../src/domain/permissions.ts";
import { accountService, keyService } from "../../src/messaging/directory/account-service.ts";
import { CredentialDirectory } from "../../src/messaging/directory/credential-directory.ts";
import { CredentialService } from "../../src/messaging/directory/credential-service.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createKeyedHash, deriveHashKey } from "../../src/platform/keyed-hash.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { loadKeys } from "../../src/platform/seal.ts";
import { readFieldsOf } from "../../src/smpp/codec.ts";
import { FrameReader } from "../../src/smpp/frame-reader.ts";
import { openMigratedStore } from "./migrated-store.ts";

export interface SeededCustomer {
  accountId: number;
  keyId: number;
  apiKey: string;
  credentialId: number;
  systemId: string;
  password: string;
  sender: string;
}

export interface CustomerSeed {
  systemId?: string;
  sender?: string;
  permissions?: readonly Permission[];
  allowFrom?: readonly string[];
  ratePerSecond?: number | null;
  traffic?: "bulk" | "single";
  options?: Partial<SmppCredentialOptions>;
  expiresAt?: number | null;
}

/** Creates an account with a key, a sender and a credential in a folder that no server has open. */
export async function seedCustomer(folder: string, seed: CustomerSeed = {}): Promise<SeededCustomer> {
  const { systemId = "customer", sender = "30001234", ratePerSecond = null, traffic = "single" } = seed;
  const store = openMigratedStore({ folder, now: Date.now() });
  const directory = new Directory(store.tables, systemClock);
  const deps = { store, directory, clock: systemClock, random: systemRandom };
  const [key] = loadKeys(folder, undefined, store.holdsSealed);
  const hash = createKeyedHash(deriveHashKey(key, credentialSecretsPurpose));
  const account = await accountService(deps).create(`Account of ${systemId}`);
  const issued = await keyService(deps).create(account.id, {
    name: "smpp",
    permissions: seed.permissions ?? permissions,
    requestsPerMinute: 100_000,
    expiresAt: seed.expiresAt ?? null,
    allowFrom: seed.allowFrom ?? [],
  });
  await senderService(deps).add(account.id, sender, true, []);
  const credentials = new CredentialDirectory({ tables: store.tables, directory, clock: systemClock, hash });
  const password = "pass1234";
  const credential = await new CredentialService({ store, credentials, hash, clock: systemClock }).create({
    apiKeyId: issued.key.id,
    kind: "smpp",
    name: systemId,
    secret: password,
    traffic,
    ratePerSecond,
    options: { ...defaultSmppOptions, ...seed.options },
  });
  store.close();
  const { id: accountId } = account;
  const ids = { accountId, keyId: issued.key.id, credentialId: credential.id };
  return { ...ids, apiKey: issued.apiKey, systemId, password, sender };
}

/** A PDU as received. */
export interface CustomerPdu {
  commandId: number;
  status: number;
  sequence: number;
  frame: Buffer;
  /** By the specification's names; empty if the body has none. */
  fields: Readonly<Record<string, unknown>>;
}

const deliverSm = 0x05;
const enquireLink = 0x15;
const unbind = 0x06;

export class SmppCustomer {
  readonly socket: Socket;
  /** Every deliver_sm received, acknowledged or not. */
  readonly deliveries: CustomerPdu[] = [];
  /** The response to a deliver_sm: the status of its answer, or null for none. */
  onDelivery: (pdu: CustomerPdu) => number | null = () => 0;
  answersEnquiries = true;
  unbound = false;
  readonly closed: Promise<void>;
  isClosed = false;
  #sequence = 0;
  readonly #waiting = new Map<number, (pdu: CustomerPdu) => void>();
  readonly #reader = new FrameReader();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) =>
      this.#reader.push(chunk, (frame) => {
        this.#take(Buffer.from(frame));
        return true;
      }),
    );
    this.closed = new Promise((resolve) =>
      socket.on("close", () => {
        this.isClosed = true;
        resolve();
      }),
    );
  }

  static async connect(port: number): Promise<SmppCustomer> {
    const socket = connect({ port, host: "127.0.0.1" });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", () => resolve());
      socket.once("error", reject);
    });
    return new SmppCustomer(socket);
  }

  /** Connects and binds; throws if the bind is refused. */
  static async bound(
    port: number,
    { systemId, password }: Pick<SeededCustomer, "systemId" | "password">,
    mode: "transceiver" | "transmitter" | "receiver" = "transceiver",
  ): Promise<SmppCustomer> {
    const customer = await SmppCustomer.connect(port);
    const { status } = await customer.request(`bind_${mode}`, bindFields(systemId, password));
    if (status !== 0) throw new Error(`the bind was refused: 0x${status.toString(16)}`);
    return customer;
  }

  /** Sends a request and returns its answer; rejects if the connection ends first. */
  request(command: string, fields: Readonly<Record<string, unknown>> = {}): Promise<CustomerPdu> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const pdu = new PDU(command, { ...fields, sequence_number: sequence });
    return this.raw(pdu.toBuffer(), sequence);
  }

  raw(frame: Buffer, sequence: number): Promise<CustomerPdu> {
    const answer = this.expect(sequence);
    this.socket.write(frame);
    return answer;
  }

  /** The answer with this sequence number. */
  expect(sequence: number): Promise<CustomerPdu> {
    return new Promise<CustomerPdu>((resolve, reject) => {
      this.#waiting.set(sequence, resolve);
      void this.closed.then(() => reject(new Error("the connection ended before the answer")));
    });
  }

  submit(fields: Readonly<Record<string, unknown>> = {}): Promise<CustomerPdu> {
    return this.request("submit_sm", submitFields(fields));
  }

  /** The id in a submit's answer; throws if refused. */
  async submitted(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { status, frame } = await this.submit(fields);
    if (status !== 0) throw new Error(`refused: 0x${status.toString(16)}`);
    return frame.toString("latin1", 16, frame.indexOf(0, 16));
  }

  /** The same with an optional parameter that the package does not know, as octets. */
  async submitWithTlv(fields: Readonly<Record<string, unknown>>, tlv: Buffer): Promise<string> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const pdu = new PDU("submit_sm", { ...submitFields(fields), sequence_number: sequence }).toBuffer();
    const frame = Buffer.concat([pdu, tlv]);
    frame.writeUInt32BE(frame.length, 0);
    const answer = await this.raw(frame, sequence);
    if (answer.status !== 0) throw new Error(`refused: 0x${answer.status.toString(16)}`);
    return answer.frame.toString("latin1", 16, answer.frame.indexOf(0, 16));
  }

  /** The texts of the receipts received. */
  get receipts(): string[] {
    return this.deliveries.filter(({ frame }) => isReceipt(frame)).map(({ fields }) => textOf(fields));
  }

  close(): void {
    this.socket.destroy();
  }

  #take(frame: Buffer): void {
    const commandId = frame.readUInt32BE(4);
    const pdu = { commandId, status: frame.readUInt32BE(8), sequence: frame.readUInt32BE(12), frame, fields: {} };
    if (commandId >= 0x80000000) {
      this.#waiting.get(pdu.sequence)?.(pdu);
      this.#waiting.delete(pdu.sequence);
    } else if (commandId === deliverSm) {
      const delivery = { ...pdu, fields: readFieldsOf(frame) };
      this.deliveries.push(delivery);
      const status = this.onDelivery(delivery);
      if (status !== null) this.#answer("deliver_sm_resp", pdu.sequence, status);
    } else if (commandId === enquireLink && this.answersEnquiries) {
      this.#answer("enquire_link_resp", pdu.sequence, 0);
    } else if (commandId === unbind) {
      this.unbound = true;
      this.#answer("unbind_resp", pdu.sequence, 0);
    }
  }

  #answer(command: string, sequence: number, status: number): void {
    this.socket.write(new PDU(command, { sequence_number: sequence, command_status: status }).toBuffer());
  }
}

export const bindFields = (systemId: string, password: string, version = 0x34) => ({
  system_id: systemId,
  password,
  interface_version: version,
});

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();

/** A Persian text to a phone in Iran by default; requests a receipt. */
export function submitFields({ text = "سلام", ...fields }: Readonly<Record<string, unknown>> = {}) {
  return {
    source_addr: "30001234",
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: "989121234500",
    registered_delivery: 1,
    data_coding: 8,
    short_message: ucs2(String(text)),
    ...fields,
  };
}

const esmClassAt = (frame: Buffer): number => {
  let at = 16;
  at = frame.indexOf(0, at) + 1;
  at = frame.indexOf(0, at + 2) + 1;
  at = frame.indexOf(0, at + 2) + 1;
  return frame[at] ?? 0;
};

const isReceipt = (frame: Buffer) => (esmClassAt(frame) & 0x3c) === 0x04;

export const textOf = (fields: Readonly<Record<string, unknown>>): string =>
  Buffer.isBuffer(fields.short_message) ? fields.short_message.toString("latin1") : "";

/** Assigns a number's inbound messages to a credential, in a folder that no server has open. */
export async function seedLine(folder: string, number: string, credentialId: number): Promise<void> {
  const store = openMigratedStore({ folder, now: Date.now() });
  await store.write((tables) => tables.lines.insert({ number, accountId: 1, createdAt: Date.now(), credentialId }));
  store.close();
}
