/** Customers' requests, parsed into fields (SMPP 3.4 §4). Peyk ignores every field that is not read here. */
import type { Segmentation, SmppAddress } from "../smpp/codec.ts";
import { customerStatus } from "./customer-status.ts";
import { FieldReader, RequestRefused } from "./field-reader.ts";

export interface BindRequest {
  systemId: string;
  password: string;
  interfaceVersion: number;
}

/** A submit_sm, or a data_sm used as one. */
export interface ReceivedSubmit {
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  priority: number;
  scheduleTime: string;
  validityPeriod: string;
  registeredDelivery: number;
  dataCoding: number;
  /** short_message, or message_payload if short_message is empty. */
  content: Buffer;
  segmentation: Segmentation | null;
  isPortAddressed: boolean;
  reference: number | null;
  /** The TLV that the credential names as its Idempotency-Key. */
  keyTlv: Buffer | null;
}

const octetsMax = { systemId: 16, password: 9, systemType: 13, addressRange: 41, serviceType: 6, address: 21, id: 65 };
/** data_sm allows longer addresses (§4.7.1). */
const dataAddressOctetsMax = 65;
const timeOctets = 17;
const shortMessageOctetsMax = 254;
const noOctets = Buffer.alloc(0);

const tags = {
  userMessageReference: 0x0204,
  sourcePort: 0x020a,
  destinationPort: 0x020b,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  messagePayload: 0x0424,
} as const;

/** The most octets a vendor TLV used as a key may have. */
const keyOctetsMax = 100;

/** @throws RequestRefused, like every function below */
export function readBindRequest(frame: Buffer): BindRequest {
  const reader = new FieldReader(frame);
  const systemId = reader.text(octetsMax.systemId, customerStatus.invalidSystemId);
  const password = reader.text(octetsMax.password, customerStatus.invalidPassword);
  reader.text(octetsMax.systemType, customerStatus.bindFailed);
  const interfaceVersion = reader.octet();
  // addr_ton, addr_npi and address_range are ignored: the server knows whose lines are whose. Some clients leave them
  // out.
  return { systemId, password, interfaceVersion };
}

function readAddressField(reader: FieldReader, octets: number, status: number): SmppAddress {
  return { ton: reader.octet(), npi: reader.octet(), digits: reader.text(octets, status) };
}

/** `keyTag`: tag of the TLV used as Idempotency-Key; null for none. */
export function readSubmitRequest(frame: Buffer, keyTag: number | null): ReceivedSubmit {
  const reader = new FieldReader(frame);
  reader.text(octetsMax.serviceType, customerStatus.invalidServiceType);
  const source = readAddressField(reader, octetsMax.address, customerStatus.invalidSource);
  const destination = readAddressField(reader, octetsMax.address, customerStatus.invalidDestination);
  const esmClass = reader.octet();
  reader.octet(); // protocol_id
  const priority = reader.octet();
  const scheduleTime = reader.text(timeOctets, customerStatus.invalidSchedule);
  const validityPeriod = reader.text(timeOctets, customerStatus.invalidExpiry);
  const registeredDelivery = reader.octet();
  if (reader.octet() !== 0) throw new RequestRefused(customerStatus.replaceFailed, "replace_if_present_flag is set");
  const dataCoding = reader.octet();
  reader.octet(); // sm_default_msg_id
  const length = reader.octet();
  if (length > shortMessageOctetsMax)
    throw new RequestRefused(customerStatus.invalidMessageLength, "sm_length is over 254");
  const content = reader.octets(length);
  const submit = {
    source,
    destination,
    esmClass,
    priority,
    scheduleTime,
    validityPeriod,
    registeredDelivery,
    dataCoding,
    content,
    ...noParameters,
  };
  return reader.isAtEnd ? submit : withParameters(submit, reader, keyTag);
}

const noParameters = { segmentation: null, isPortAddressed: false, reference: null, keyTlv: null };

export function readDataRequest(frame: Buffer, keyTag: number | null): ReceivedSubmit {
  const reader = new FieldReader(frame);
  reader.text(octetsMax.serviceType, customerStatus.invalidServiceType);
  const source = readAddressField(reader, dataAddressOctetsMax, customerStatus.invalidSource);
  const destination = readAddressField(reader, dataAddressOctetsMax, customerStatus.invalidDestination);
  const esmClass = reader.octet();
  const registeredDelivery = reader.octet();
  const dataCoding = reader.octet();
  const times = { priority: 0, scheduleTime: "", validityPeriod: "" };
  const fields = { source, destination, esmClass, registeredDelivery, dataCoding, ...times };
  return withParameters({ ...fields, content: noOctets, ...noParameters }, reader, keyTag);
}

function withParameters(submit: ReceivedSubmit, reader: FieldReader, keyTag: number | null): ReceivedSubmit {
  let sarReference: number | null = null;
  let sarTotal: number | null = null;
  let sarNumber: number | null = null;
  reader.parameters((tag, value) => {
    if (tag === tags.messagePayload && submit.content.length === 0) submit.content = value;
    else if (tag === tags.sarReference && value.length === 2) sarReference = value.readUInt16BE(0);
    else if (tag === tags.sarTotal && value.length === 1) sarTotal = value.readUInt8(0);
    else if (tag === tags.sarNumber && value.length === 1) sarNumber = value.readUInt8(0);
    else if (tag === tags.userMessageReference && value.length === 2) submit.reference = value.readUInt16BE(0);
    else if (tag === tags.sourcePort || tag === tags.destinationPort) submit.isPortAddressed = true;
    else if (tag === keyTag && value.length > 0) submit.keyTlv = checkedKey(value);
  });
  if (sarReference !== null && sarTotal !== null && sarNumber !== null) {
    submit.segmentation = { reference: sarReference, parts: sarTotal, part: sarNumber };
  }
  return submit;
}

function checkedKey(value: Buffer): Buffer {
  if (value.length > keyOctetsMax) throw new RequestRefused(customerStatus.submitFailed, "the key has over 100 octets");
  return value;
}

export function readQueryRequest(frame: Buffer): { id: string } {
  return { id: new FieldReader(frame).text(octetsMax.id, customerStatus.invalidMessageId) };
}

/** `id` is empty if the customer wants to cancel all messages between two addresses. */
export function readCancelRequest(frame: Buffer): { id: string } {
  const reader = new FieldReader(frame);
  reader.text(octetsMax.serviceType, customerStatus.invalidServiceType);
  return { id: reader.text(octetsMax.id, customerStatus.invalidMessageId) };
}
