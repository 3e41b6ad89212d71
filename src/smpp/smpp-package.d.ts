/** Types for the parts of the npm package `smpp` that Peyk uses; it has none of its own. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { Server as NetServer, Socket } from "node:net";

  export class PDU {
    static maxLength: number;
    constructor(command: string, fields?: Readonly<Record<string, unknown>>);
    constructor(frame: Buffer);
    command: string;
    command_length: number;
    command_id: number;
    command_status: number;
    sequence_number: number;
    /** A field of the command or an optional parameter, by the name that the specification gives it. */
    [field: string]: unknown;
    response(fields?: Readonly<Record<string, unknown>>): PDU;
    toBuffer(): Buffer;
    protected _filter(direction: "encode" | "decode"): void;
  }

  export interface OctetType<Value> {
    read(octets: Buffer, offset: number, length: number): unknown;
    write(value: Value, octets: Buffer, offset: number): void;
    size(value: Value): number;
    default: unknown;
  }

  export interface OptionalParameter<Value> {
    id: number;
    type: OctetType<Value>;
  }

  export function addTLV<Value>(name: string, parameter: OptionalParameter<Value>): void;
  export const tlvs: Readonly<Record<string, OptionalParameter<Buffer | number>>>;
  export const errors: Readonly<Record<string, number>>;
  export const commands: Readonly<Record<string, { id: number }>>;

  export class Session extends EventEmitter {
    socket: Socket;
    send(pdu: PDU, answered?: (answer: PDU) => void): boolean;
    pause(): void;
    resume(): void;
    close(closed?: () => void): void;
    destroy(closed?: () => void): void;
    on(event: "pdu", listener: (pdu: PDU) => void): this;
    on(event: "close", listener: () => void): this;
    on(event: "error", listener: (error: Error) => void): this;
  }

  export interface ServerOptions {
    key?: string | Buffer;
    cert?: string | Buffer;
    ca?: string | Buffer;
    requestCert?: boolean;
    rejectUnauthorized?: boolean;
  }

  export interface Server extends NetServer {
    sessions: Session[];
  }

  export function connect(options: { url: string }, connected: () => void): Session;
  export function createServer(options: ServerOptions, listener: (session: Session) => void): Server;
}
