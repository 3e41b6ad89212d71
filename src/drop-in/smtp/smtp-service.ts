/** The listener for mail: devices that speak only SMTP sign in, and send a mail to a number at our domain. */
import type { Socket } from "node:net";
import { domainToASCII } from "node:url";
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from "smtp-server";
import { addressMatcher } from "../../domain/address-ranges.ts";
import { clientOf } from "../../domain/client-address.ts";
import { mailLimits } from "../../domain/mail-text.ts";
import type { CredentialDirectory, CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import { type Clock, sleep, type Timer } from "../../platform/clock.ts";
import { listenerTls, type TlsFiles } from "../../platform/listener-tls.ts";
import type { Logger } from "../../platform/log.ts";
import { LoopTurns } from "../../platform/loop-turns.ts";
import { Bucket } from "../../platform/rate-per-second.ts";
import { listenForSockets, type SocketListener } from "../../platform/socket-listener.ts";
import { Strangers } from "../../platform/strangers.ts";
import type { DropInCustomers } from "../customers.ts";
import type { DropInSubmitter } from "../submitter.ts";
import { type MailRefusal, mailRefusalOf, mailReplies, replyError } from "./answers.ts";
import { lineEnds, readOctets } from "./mail-octets.ts";
import type { Mails, TakenMail } from "./mails.ts";

export interface SmtpServiceDeps {
  mails: Mails;
  customers: DropInCustomers;
  submitter: DropInSubmitter;
  credentials: Pick<CredentialDirectory, "owner">;
  clock: Clock;
  log: Logger;
  /** Counts a mail that was received whole. */
  observer(outcome: string, durationMs: number): void;
  settings: { domain: string; plainFrom: readonly string[]; connections: number };
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  owner: CredentialOwner | null;
  deadline: Timer;
  /** Octets of commands since the last mail that was accepted. */
  commandOctets: number;
  isInData: boolean;
}

const strangerMs = 60_000;
const sessionMs = 15 * 60_000;
const idleMs = 60_000;
/** More before signing in is no mail program's. */
const strangerOctetsMax = 4_096;
const connectionsOfAccountMax = 20;
/**
 * What an account's commands may take that send nothing: NOOP, refused recipients, refused mails. What led to an
 * accepted mail is given back.
 */
const idleOctets = { perSecond: 8 * 1024, most: 64 * 1024 };
/** Reading a mail that is then refused costs less than as many octets of commands. */
const refusedMailShare = 8;
/** How long answers may take to reach the clients when the service stops. */
const lingerMs = 50;

const unserved = ["VRFY", "HELP", "WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"];

type Work = (connection: Connection) => MailRefusal | null;
type Answer = (reason?: Error | null) => void;

export class SmtpService {
  readonly #deps: SmtpServiceDeps;
  readonly #listeners: { listener: SocketListener; isTls: boolean }[] = [];
  /** With the certificate for STARTTLS, if there is one. */
  readonly #plain: SMTPServer;
  #hasCertificate = false;
  readonly #secure: SMTPServer;
  readonly #connections = new Map<string, Connection>();
  readonly #strangers = new Strangers<Connection>(({ socket }) => socket.bytesRead === 0, clientOf);
  readonly #accounts = new Map<number, Bucket>();
  readonly #turns = new LoopTurns();
  readonly #answering = new Set<Promise<void>>();
  readonly #mayBePlain: (address: string) => boolean;
  #lastId = 0;
  #isTaking = false;

  constructor(deps: SmtpServiceDeps) {
    this.#deps = deps;
    this.#mayBePlain = addressMatcher(deps.settings.plainFrom);
    this.#plain = this.#server({});
    this.#secure = this.#server({ secure: true, secured: true });
  }

  /** Rejects if the address is in use. */
  async listen(at: { hostname: string; port: number }, certificate: TlsFiles | null, isTls: boolean): Promise<number> {
    if (!isTls) this.#useCertificate(certificate);
    const server = isTls ? this.#secure : this.#plain;
    const listener = await listenForSockets({
      ...at,
      protocol: "SMTP",
      tls: isTls ? certificate : null,
      log: this.#deps.log,
      networkOf: clientOf,
      handshakesMax: this.#deps.settings.connections,
      mayTake: () => this.#mayTake(),
      connected: (socket, address) => this.#connected(server, socket, address),
    });
    this.#listeners.push({ listener, isTls });
    return listener.port;
  }

  /** Connections are closed until this is called: a start that can still fail must accept nothing. */
  startTaking(): void {
    this.#isTaking = true;
  }

  renew(certificate: TlsFiles): void {
    for (const { listener, isTls } of this.#listeners) if (isTls) listener.renew(certificate);
    if (this.#hasCertificate) this.#useCertificate(certificate);
  }

  async stop(): Promise<void> {
    this.#isTaking = false;
    for (const { listener } of this.#listeners.splice(0)) listener.stop();
    await Promise.all(this.#answering);
    for (const { socket } of this.#connections.values()) socket.end();
    if (this.#connections.size > 0) await sleep(this.#deps.clock, lingerMs);
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  /** Without one, STARTTLS is not served: the library would use a key that everybody has. */
  #useCertificate(certificate: TlsFiles | null): void {
    this.#hasCertificate = certificate !== null;
    if (certificate !== null) this.#plain.updateSecureContext(listenerTls(certificate));
  }

  #server(options: SMTPServerOptions): SMTPServer {
    const server = new SMTPServer({
      ...options,
      logger: false,
      name: this.#deps.settings.domain,
      disableReverseLookup: true,
      // Its own are by reply alone: 5.1.1 for every 550.
      hideENHANCEDSTATUSCODES: true,
      // Devices write senders that no RFC allows.
      lenientAddressParsing: true,
      disabledCommands: [...unserved, "STARTTLS", "AUTH"],
      // Of networks that may: others are not served AUTH in plain.
      allowInsecureAuth: true,
      authRequiredMessage: `${mailReplies.signInFirst.enhanced} ${mailReplies.signInFirst.words}`,
      size: mailLimits.octetsMax,
      socketTimeout: idleMs,
      maxCommandLength: strangerOctetsMax,
      onConnect: (session, answer) => this.#opened(session, answer),
      onSecure: (socket, session, answer) => this.#secured(socket, session, answer),
      onAuth: (given, session, answer) => {
        const refused = this.#signIn(given, session);
        if (refused === null) answer(null, { user: given.username });
        else answer(replyError(refused));
      },
      onMailFrom: ({ address }, session, answer) => this.#answer(session, answer, (one) => this.#mayMail(one, address)),
      onRcptTo: ({ address }, session, answer) =>
        this.#answer(session, answer, (one) => this.#mayReceive(one, session, address)),
      onData: (stream, session, answer) => void this.#mailed(stream, session, answer),
      onClose: ({ id }) => this.#ended(id),
    });
    server.on("error", (reason) => this.#deps.log.debug({ why: reason.message }, "a connection by SMTP failed"));
    return server;
  }

  #mayTake(): boolean {
    if (!this.#isTaking) return false;
    if (this.#connections.size < this.#deps.settings.connections) return true;
    const stranger = this.#strangers.leastWorthy;
    const [id] = [...this.#connections].find(([, one]) => one === stranger) ?? [];
    if (id === undefined) return false;
    stranger?.socket.destroy();
    this.#ended(id);
    return true;
  }

  #connected(server: SMTPServer, socket: Socket, address: string): void {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const deadline = this.#deadline(id, strangerMs);
    const connection = { socket, address, owner: null, deadline, commandOctets: 0, isInData: false };
    this.#connections.set(id, connection);
    this.#strangers.add(connection, address);
    this.#meter(connection, socket);
    server.connect(socket, { id });
  }

  #deadline(id: string, afterMs: number): Timer {
    return this.#deps.clock.after(afterMs, () => {
      this.#connections.get(id)?.socket.destroy();
      this.#ended(id);
    });
  }

  #ended(id: string): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    connection.deadline.cancel();
    this.#connections.delete(id);
    this.#strangers.delete(connection);
  }

  /** Watches what is read as commands; `socket`: the one that carries them, which TLS replaces. */
  #meter(connection: Connection, socket: Socket): void {
    const lines = lineEnds();
    const refuse = (refusal: MailRefusal) => {
      socket.end(`${refusal.reply} ${refusal.enhanced} ${refusal.words}\r\n`);
      connection.socket.destroySoon();
    };
    socket.on("data", (octets: Buffer) => {
      if (connection.isInData) return;
      connection.commandOctets += octets.length;
      const { owner } = connection;
      if (owner === null && connection.commandOctets > strangerOctetsMax) connection.socket.destroy();
      else if (owner !== null && this.#waitMs(owner, octets.length) > 0) refuse(mailReplies.tooMuch);
      else if (lines.hasBare(octets)) refuse(mailReplies.bareLineEnd);
    });
  }

  #bucketOf({ account }: CredentialOwner): Bucket {
    const bucket =
      this.#accounts.get(account.id) ?? new Bucket(idleOctets.perSecond, this.#deps.clock.monotonic(), idleOctets.most);
    this.#accounts.set(account.id, bucket);
    return bucket;
  }

  #waitMs(owner: CredentialOwner, octets: number): number {
    return this.#bucketOf(owner).take(octets, this.#deps.clock.monotonic());
  }

  #opened(session: SMTPServerSession, answer: Answer): void {
    const { address } = this.#connections.get(session.id) ?? {};
    const isSafe = session.secure || (address !== undefined && this.#mayBePlain(address));
    session.disabledCommands = [
      ...unserved,
      ...(isSafe ? [] : ["AUTH"]),
      ...(this.#hasCertificate && !session.secure ? [] : ["STARTTLS"]),
    ];
    answer();
  }

  #secured(socket: Socket, session: SMTPServerSession, answer: Answer): void {
    const connection = this.#connections.get(session.id);
    session.disabledCommands = [...unserved, "STARTTLS"];
    if (connection !== undefined && connection.socket !== socket) {
      // What was said before is void (RFC 3207 §4.2).
      connection.owner = null;
      connection.commandOctets = 0;
      this.#meter(connection, socket);
    }
    answer();
  }

  #signIn({ username, password }: SMTPServerAuthentication, { id }: SMTPServerSession): MailRefusal | null {
    const connection = this.#connections.get(id);
    if (connection === undefined) return mailReplies.stopping;
    const owner = this.#deps.customers.signIn("smtp", username ?? "", password ?? "", connection);
    if (owner === "throttled") return mailReplies.throttled;
    if (owner === "wrong") return mailReplies.wrongSecret;
    const others = [...this.#connections.values()].filter((one) => one.owner?.account.id === owner.account.id);
    if (others.length >= connectionsOfAccountMax) return this.#told(owner, mailReplies.tooManyConnections);
    connection.owner = owner;
    connection.deadline.cancel();
    connection.deadline = this.#deadline(id, sessionMs);
    this.#strangers.delete(connection);
    return null;
  }

  /** In the account's turn. */
  #answer({ id }: SMTPServerSession, answer: Answer, work: Work): void {
    const connection = this.#connections.get(id);
    const refused = async () => {
      if (connection === undefined) return mailReplies.stopping;
      await this.#turns.next(connection.owner?.account.id);
      return work(connection);
    };
    void refused()
      .catch((reason) => this.#defect(reason))
      .then((refusal) => answer(refusal === null ? null : replyError(refusal)));
  }

  #defect(reason: unknown): MailRefusal {
    this.#deps.log.error({ err: reason }, "a mail failed by a defect");
    return mailReplies.defect;
  }

  #mayMail(connection: Connection, sender: string): MailRefusal | null {
    const { credentials, submitter } = this.#deps;
    if (!this.#isTaking) return mailReplies.stopping;
    if (connection.owner === null) return mailReplies.signInFirst;
    // It may have ended or changed since.
    const owner = credentials.owner(connection.owner.credential.id);
    if (owner === null) return mailReplies.wrongSecret;
    connection.owner = owner;
    if (sender === "") return this.#told(owner, mailReplies.bounce);
    const refused = submitter.mayUse(owner, "messages:send");
    return refused === null ? null : mailRefusalOf(submitter.told(owner, refused));
  }

  #mayReceive({ owner }: Connection, { envelope }: SMTPServerSession, address: string): MailRefusal | null {
    const { settings, submitter } = this.#deps;
    if (owner === null) return mailReplies.signInFirst;
    if (envelope.rcptTo.length >= mailLimits.recipientsMax) return mailReplies.tooManyRecipients;
    const [number, domain] = partsOf(address);
    if (domain !== domainToASCII(settings.domain)) return this.#told(owner, mailReplies.relay(settings.domain));
    const recipient = submitter.recipient(owner, number);
    return typeof recipient === "string" ? null : mailRefusalOf(submitter.told(owner, recipient));
  }

  async #mailed(stream: SMTPServerDataStream, session: SMTPServerSession, answer: DataAnswer): Promise<void> {
    const connection = this.#connections.get(session.id);
    const owner = connection?.owner ?? null;
    if (connection === undefined || owner === null) return answer(replyError(mailReplies.signInFirst));
    connection.isInData = true;
    const octets = await readOctets(stream, () => this.#turns.next(owner.account.id));
    connection.isInData = false;
    if (octets === null) return void connection.socket.destroy();
    const answered = this.#take(owner, octets, session).then((outcome) => {
      this.#settle(connection, owner, outcome, octets.kept.length);
      if ("reply" in outcome) answer(replyError(outcome));
      else answer(null, `2.0.0 ${outcome.words}`);
    });
    this.#answering.add(answered);
    await answered;
    this.#answering.delete(answered);
  }

  async #take(
    owner: CredentialOwner,
    octets: NonNullable<Awaited<ReturnType<typeof readOctets>>>,
    { envelope }: SMTPServerSession,
  ): Promise<TakenMail | MailRefusal> {
    const { clock, observer, mails } = this.#deps;
    const startedMs = clock.monotonic();
    const numbers = envelope.rcptTo.map(({ address }) => partsOf(address)[0]);
    const outcome = await mails.take(owner, octets, numbers).catch((reason) => this.#defect(reason));
    const name = "reply" in outcome ? outcome.cause : outcome.isRepeat ? "repeated" : "accepted";
    observer(name, clock.monotonic() - startedMs);
    return outcome;
  }

  /** What led to an accepted mail costs nothing; one that sends nothing costs in proportion. */
  #settle(connection: Connection, owner: CredentialOwner, outcome: TakenMail | MailRefusal, octets: number): void {
    const isUseless = "reply" in outcome || outcome.isRepeat;
    if (isUseless) this.#waitMs(owner, octets / refusedMailShare);
    else this.#bucketOf(owner).giveBack(connection.commandOctets);
    connection.commandOctets = 0;
  }

  #told(owner: CredentialOwner, refusal: MailRefusal): MailRefusal {
    this.#deps.customers.refused(owner, refusal.cause, refusal.words);
    return refusal;
  }
}

type DataAnswer = (reason?: Error | null, message?: string) => void;

/** What stands before the last @, and the domain. */
function partsOf(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at), domainToASCII(address.slice(at + 1).toLowerCase())];
}
