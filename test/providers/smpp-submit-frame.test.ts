import { expect, test } from "bun:test";
import fc from "fast-check";
import { PDU } from "smpp";
import { encodeSubmit, type SubmitFields } from "../../src/smpp/submit-frame.ts";

/** The package's own encoder, without the filters that guess the text of the octets. */
class PackagePdu extends PDU {
  protected override _filter(): void {}
}

function asThePackageWrites(fields: SubmitFields, extra: Buffer): Buffer {
  const frame = Buffer.concat([
    new PackagePdu("submit_sm", {
      service_type: fields.serviceType,
      source_addr_ton: fields.source.ton,
      source_addr_npi: fields.source.npi,
      source_addr: fields.source.digits,
      dest_addr_ton: fields.destination.ton,
      dest_addr_npi: fields.destination.npi,
      destination_addr: fields.destination.digits,
      esm_class: fields.esmClass,
      protocol_id: fields.protocolId,
      priority_flag: fields.priorityFlag,
      validity_period: fields.validityPeriod,
      registered_delivery: fields.registeredDelivery,
      data_coding: fields.dataCoding,
      short_message: fields.shortMessage,
      ...fields.optional,
    }).toBuffer(),
    extra,
  ]);
  frame.writeUInt32BE(frame.length, 0);
  return frame;
}

const octet = fc.integer({ min: 0, max: 255 });
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
const ascii = (maxLength: number) => fc.string({ unit: "grapheme-ascii", maxLength });
const address = fc.record({ ton: octet, npi: octet, digits: ascii(20) });
const optional = fc.oneof(
  fc.constant({}),
  fc.record({ message_payload: octets(2_000) }),
  fc.record({
    sar_msg_ref_num: fc.integer({ min: 0, max: 65_535 }),
    sar_total_segments: octet,
    sar_segment_seqnum: octet,
  }),
);
const fields: fc.Arbitrary<SubmitFields> = fc.record({
  serviceType: ascii(5),
  source: address,
  destination: address,
  esmClass: octet,
  protocolId: octet,
  priorityFlag: octet,
  validityPeriod: ascii(16),
  registeredDelivery: octet,
  dataCoding: octet,
  shortMessage: octets(254),
  optional,
});

test("a submit_sm has the octets that the package's own encoder writes", () => {
  fc.assert(
    fc.property(fields, octets(40), (submit, extra) => {
      expect(encodeSubmit(submit, extra).toString("hex")).toBe(asThePackageWrites(submit, extra).toString("hex"));
    }),
  );
});
