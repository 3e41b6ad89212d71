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
  /** The TLVs that some route passes on, encoded as they came. */
  passedTlvs: Buffer | null;
}

/** Which vendors' TLVs are read. */
export interface VendorTags {
  /** Of the one used as Idempotency-Key; null for none. */
  key: number | null;
  passed: ReadonlySet<number>;
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

/** The most octets a TLV that is passed on may have, and all of a message with their heads. */
const passedOctetsMax = 255;
const allPassedOctetsMax = 1_024;

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

export function readSubmitRequest(frame: Buffer, vendorTags: VendorTags): ReceivedSubmit {
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
  return reader.isAtEnd ? submit : withParameters(submit, reader, vendorTags);
}

const noParameters = { segmentation: null, isPortAddressed: false, reference: null, keyTlv: null, passedTlvs: null };

export function readDataRequest(frame: Buffer, vendorTags: VendorTags): ReceivedSubmit {
  const reader = new FieldReader(frame);
  reader.text(octetsMax.serviceType, customerStatus.invalidServiceType);
  const source = readAddressField(reader, dataAddressOctetsMax, customerStatus.invalidSource);
  const destination = readAddressField(reader, dataAddressOctetsMax, customerStatus.invalidDestination);
  const esmClass = reader.octet();
  const registeredDelivery = reader.octet();
  const dataCoding = reader.octet();
  const times = { priority: 0, scheduleTime: "", validityPeriod: "" };
  const fields = { source, destination, esmClass, registeredDelivery, dataCoding, ...times };
  return withParameters({ ...fields, content: noOctets, ...noParameters }, reader, vendorTags);
}

function withParameters(submit: ReceivedSubmit, reader: FieldReader, { key, passed }: VendorTags): ReceivedSubmit {
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
    else {
      if (tag === key && value.length > 0) submit.keyTlv = checkedKey(value);
      if (passed.has(tag)) submit.passedTlvs = withPassed(submit.passedTlvs, tag, value);
    }
  });
  if (sarReference !== null && sarTotal !== null && sarNumber !== null) {
    submit.segmentation = { reference: sarReference, parts: sarTotal, part: sarNumber };
  }
  return submit;
}

/** Copied: the frame is read over. */
function withPassed(before: Buffer | null, tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  const octets = Buffer.concat([before ?? noOctets, head, value]);
  if (value.length > passedOctetsMax || octets.length > allPassedOctetsMax)
    throw new RequestRefused(
      customerStatus.invalidParameter,
      `TLVs to pass on have more than ${passedOctetsMax} octets, or ${allPassedOctetsMax} together`,
    );
  return octets;
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
