/**
 * An SMSC for tests, based on the npm `smpp` server: it follows a script, including faults, and keeps what it receives.
 */
import type { AddressInfo } from "node:net";
import { createServer, PDU, type Server, type Session } from "smpp";

/** A submit_sm as the SMSC read it, its text and headers as decoded by the package. */
export interface SmscSubmit {
  session: Session;
  sequence: number;
  /** 1 for the first that this SMSC received. */
  number: number;
  source: { ton: number; npi: number; address: string };
  destination: { ton: number; npi: number; address: string };
  text: string;
  /** The information elements of the user data header, one buffer each. */
  udh: Buffer[];
  pdu: PDU;
}

/** How the SMSC handles a submit. */
export type SubmitAnswer =
  | { status?: number; messageId?: string; delayMs?: number }
  | "silence"
  | "nack"
  /** Unbinds instead of answering, and answers nothing further. */
  | "unbind"
  | "reset"
  /** Writes half an answer and resets the connection. */
  | "resetMidPdu"
  /** Answers one byte at a time. */
  | "drip";

export interface ReceiptScript {
  /** When it is sent: before the submit's answer, or after it. */
  when?: "before" | "after";
  stat?: string;
  /** How often the same receipt is sent. */
  times?: number;
  /** How the receipt spells the id given in the answer. */
  spell?: (messageId: string) => string;
  /** Omits the TLVs or the text. */
  tlvs?: boolean;
  text?: boolean;
}

export interface SmscScript {
  password?: string;
  key?: string;
  cert?: string;
  /** PEM of the CA that each client's certificate must be from. */
  clientAuthority?: string;
  /** The status of the first, second … bind; 0 after the last. */
  bindStatuses?: readonly number[];
  /** Binds get no answer. */
  silentBind?: boolean;
  silentUnbind?: boolean;
  silentEnquireLink?: boolean;
  /** By default every submit is accepted. */
  onSubmit?: (submit: SmscSubmit) => SubmitAnswer;
  /** The fields of the answer to a query_sm; by default the SMSC does not know the command. */
  onQuery?: (query: PDU) => Readonly<Record<string, unknown>> | "silence";
  /** The id of the nth submit; hexadecimal by default. */
  messageId?: (number: number) => string;
  receipts?: ReceiptScript;
}

export interface SmscBind {
  command: string;
  systemId: unknown;
  password: unknown;
  status: number;
  session: Session;
}

export class Smsc {
  readonly binds: SmscBind[] = [];
  readonly submits: SmscSubmit[] = [];
  /** Names of all PDUs received, in order. */
  readonly commands: string[] = [];
  /** All PDUs received other than submits, in order. */
  readonly pdus: PDU[] = [];
  readonly #server: Server;
  #open: Session[] = [];

  private constructor(readonly script: SmscScript) {
    const { key, cert, clientAuthority: ca } = script;
    const tls = key === undefined || cert === undefined ? {} : { key, cert };
    const asking = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
    this.#server = createServer({ ...tls, ...asking }, (session) => this.#welcome(session));
  }

  /** Listens on a free port of 127.0.0.1, or on `port` again after a `stop`. */
  static async start(script: SmscScript = {}, port = 0): Promise<Smsc> {
    const smsc = new Smsc(script);
    await new Promise<void>((resolve, reject) => {
      smsc.#server.once("error", reject);
      smsc.#server.listen(port, "127.0.0.1", () => resolve());
    });
    return smsc;
  }

  get port(): number {
    const address: string | AddressInfo | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the SMSC does not listen");
    return address.port;
  }

  /** The connections open now, oldest first. */
  get sessions(): readonly Session[] {
    return this.#open;
  }

  /** The session that a delivery goes to: the newest one that may receive. */
  get receiver(): Session {
    const bind = this.binds.findLast(({ command, status, session }) => {
      return status === 0 && command !== "bind_transmitter" && this.#open.includes(session);
    });
    if (bind === undefined) throw new Error("nobody is bound to receive");
    return bind.session;
  }

  /** Sends a deliver_sm (or data_sm) and resolves with the status of its answer. */
  deliver(fields: Readonly<Record<string, unknown>>, command = "deliver_sm"): Promise<number> {
    return new Promise((resolve) => {
      this.receiver.send(new PDU(command, fields), (answer) => resolve(answer.command_status));
    });
  }

  /** Sends the receipt of one submit as the script prescribes; resolves with the answers' statuses. */
  receipt(submit: SmscSubmit, messageId: string, script: ReceiptScript = {}): Promise<number[]> {
    const { stat = "DELIVRD", times = 1, spell = (id) => id, tlvs = true, text = true } = script;
    const id = spell(messageId);
    const words = `id:${id} sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:${stat} err:000 text:x`;
    const fields = {
      esm_class: 4,
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: submit.destination.address,
      destination_addr: submit.source.address,
      data_coding: 0,
      short_message: text ? Buffer.from(words) : Buffer.alloc(0),
      ...(tlvs ? { receipted_message_id: id, message_state: messageStates[stat] ?? 7 } : {}),
    };
    return Promise.all(Array.from({ length: times }, () => this.deliver(fields)));
  }

  /** Writes octets unchanged to every open connection. */
  raw(octets: Buffer): void {
    for (const { socket } of this.#open) socket.write(octets);
  }

  /** Sends an unbind to every open session. */
  unbind(): void {
    for (const session of this.#open) session.send(new PDU("unbind"));
  }

  /** Resets every open connection. */
  drop(): void {
    for (const { socket } of this.#open) socket.resetAndDestroy();
  }

  /** Pauses or resumes reading from every session. */
  stopReading(): void {
    for (const { socket } of this.#open) socket.removeAllListeners("readable").pause();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#open) session.destroy();
    await closed;
  }

  #welcome(session: Session): void {
    this.#open.push(session);
    session.on("close", () => {
      this.#open = this.#open.filter((open) => open !== session);
    });
    session.on("error", () => session.destroy());
    session.on("pdu", (pdu) => this.#take(session, pdu));
  }

  #take(session: Session, pdu: PDU): void {
    this.commands.push(pdu.command);
    if (pdu.command === "submit_sm") this.#takeSubmit(session, pdu);
    else this.pdus.push(pdu);
    if (pdu.command.startsWith("bind_") && !pdu.command.endsWith("_resp")) this.#takeBind(session, pdu);
    if (pdu.command === "enquire_link" && this.script.silentEnquireLink !== true) session.send(pdu.response());
    if (pdu.command === "query_sm") this.#answerQuery(session, pdu);
    if (pdu.command === "unbind" && this.script.silentUnbind !== true) session.send(pdu.response());
  }

  #takeBind(session: Session, pdu: PDU): void {
    const wrongPassword = this.script.password !== undefined && pdu.password !== this.script.password;
    const status = wrongPassword ? 0x0e : (this.script.bindStatuses?.[this.binds.length] ?? 0);
    this.binds.push({ command: pdu.command, systemId: pdu.system_id, password: pdu.password, status, session });
    if (this.script.silentBind === true) return;
    session.send(pdu.response(status === 0 ? { system_id: "smsc" } : { command_status: status }));
  }

  #answerQuery(session: Session, pdu: PDU): void {
    const { sequence_number } = pdu;
    const answer = this.script.onQuery?.(pdu);
    if (answer === undefined) session.send(new PDU("generic_nack", { command_status: 3, sequence_number }));
    else if (answer !== "silence") session.send(pdu.response({ message_id: pdu.message_id, ...answer }));
  }

  #takeSubmit(session: Session, pdu: PDU): void {
    const { text, udh } = contentOf(pdu.short_message ?? null, pdu.message_payload ?? null);
    const submit = {
      session,
      sequence: pdu.sequence_number,
      number: this.submits.length + 1,
      source: { ton: Number(pdu.source_addr_ton), npi: Number(pdu.source_addr_npi), address: String(pdu.source_addr) },
      destination: {
        ton: Number(pdu.dest_addr_ton),
        npi: Number(pdu.dest_addr_npi),
        address: String(pdu.destination_addr),
      },
      text,
      udh,
      pdu,
    };
    this.submits.push(submit);
    this.#answer(submit, this.script.onSubmit?.(submit) ?? {});
  }

  #answer(submit: SmscSubmit, answer: SubmitAnswer): void {
    const { session, pdu, number } = submit;
    if (answer === "silence") return;
    if (answer === "nack") {
      session.send(new PDU("generic_nack", { command_status: 3, sequence_number: pdu.sequence_number }));
    } else if (answer === "unbind") session.send(new PDU("unbind"));
    else if (answer === "reset") session.socket.resetAndDestroy();
    else if (typeof answer === "string") this.#answerInPieces(submit, answer);
    else {
      const { delayMs = 0, status = 0, messageId = this.#messageId(number) } = answer;
      if (delayMs > 0) setTimeout(() => this.#accept(submit, status, messageId), delayMs);
      else this.#accept(submit, status, messageId);
    }
  }

  #messageId(number: number): string {
    return this.script.messageId?.(number) ?? number.toString(16).padStart(8, "0");
  }

  #accept(submit: SmscSubmit, status: number, messageId: string): void {
    const { receipts } = this.script;
    if (status === 0 && receipts?.when === "before") void this.receipt(submit, messageId, receipts);
    submit.session.send(submit.pdu.response(status === 0 ? { message_id: messageId } : { command_status: status }));
    if (status === 0 && receipts?.when === "after") void this.receipt(submit, messageId, receipts);
  }

  #answerInPieces({ session, pdu, number }: SmscSubmit, how: "resetMidPdu" | "drip"): void {
    const octets = pdu.response({ message_id: this.#messageId(number) }).toBuffer();
    const { socket } = session;
    if (how === "resetMidPdu") {
      socket.write(octets.subarray(0, 9), () => socket.resetAndDestroy());
      return;
    }
    const pieces = [...octets].map((octet) => Buffer.from([octet]));
    const next = (): void => {
      const piece = pieces.shift();
      if (piece !== undefined) socket.write(piece, () => setImmediate(next));
    };
    next();
  }
}

const messageStates: Readonly<Record<string, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};

/** The package gives `{udh, message}` for content with a header, `{message}` without one. */
function contentOf(shortMessage: unknown, payload: unknown): { text: string; udh: Buffer[] } {
  const content = [shortMessage, payload].find((part) => textOf(part) !== "") ?? shortMessage;
  const udh = typeof content === "object" && content !== null && "udh" in content ? content.udh : [];
  return { text: textOf(content), udh: Array.isArray(udh) ? udh.filter((element) => Buffer.isBuffer(element)) : [] };
}

function textOf(content: unknown): string {
  if (typeof content !== "object" || content === null || !("message" in content)) return "";
  return typeof content.message === "string" ? content.message : "";
}
