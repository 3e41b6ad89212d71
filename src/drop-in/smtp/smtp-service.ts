/** The listener for mail: devices that speak only SMTP sign in, and send a mail to a number at our domain. */
import type { Socket } from "node:net";
import { domainToASCII } from "node:url";
import {
  SMTPServer,
  type SMTPServerAddress,
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
import { WorkShares } from "../../platform/work-shares.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import { type AnswerGate, gated } from "../../store/replication.ts";
import type { DropInCustomers } from "../customers.ts";
import type { DropInObserver } from "../drop-in-service.ts";
import type { DropInSubmitter } from "../submitter.ts";
import { type MailRefusal, mailRefusalOf, mailReplies, replyError } from "./answers.ts";
import { type MailOctets, readOctets } from "./mail.ts";
import type { Mails } from "./mails.ts";

export interface SmtpServiceDeps {
  mails: Mails;
  customers: DropInCustomers;
  submitter: DropInSubmitter;
  credentials: Pick<CredentialDirectory, "owner">;
  clock: Clock;
  log: Logger;
  observer: DropInObserver;
  /** Null without a cluster. */
  answerGate?: AnswerGate | null;
  settings: { domain: string; plainFrom: readonly string[]; connections: number };
}

interface Connection {
  readonly id: string;
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
/** A connection costs as much as so many of them, TLS most of it; a mail that is then refused, this share of its octets. */
const signInOctets = 1_024;
const refusedMailShare = 1 / 32;
const refusedSignInMs = 1_000;
/**
 * What an account's mails may take, whatever becomes of them: at full speed they took 23 % of the thread from everybody
 * else, and clients of SMTP wait for an answer patiently.
 */
const workMs = { perSecond: 25, most: 250 };
/** Measured with small mails: reading a mail is timed, and what remains is the dialogue, and storing it. */
const [commandMs, mailMs, octetMs] = [0.1, 0.5, 8 / (1024 * 1024)];
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
  readonly #idle = new Map<number, Bucket>();
  readonly #work: WorkShares<number>;
  readonly #turns = new LoopTurns();
  readonly #answering = new Set<Promise<void>>();
  readonly #mayBePlain: (address: string) => boolean;
  #lastId = 0;
  #isTaking = false;

  constructor(deps: SmtpServiceDeps) {
    this.#deps = deps;
    this.#work = new WorkShares(deps.clock, workMs);
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
      onAuth: async (given, session, answer) => {
        const refused = this.#signIn(given, session);
        if (refused === null) return answer(null, { user: given.username });
        // Who tries again at once would take more than this costs.
        await sleep(this.#deps.clock, refusedSignInMs);
        answer(replyError(refused));
      },
      onMailFrom: (from, session, answer) => void this.#answer(session, answer, (one) => this.#mayMail(one, from)),
      onRcptTo: (to, session, answer) =>
        void this.#answer(session, answer, (one) => this.#mayReceive(one, session, to)),
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
    if (stranger === null) return false;
    stranger.socket.destroy();
    this.#ended(stranger.id);
    return true;
  }

  #connected(server: SMTPServer, socket: Socket, address: string): void {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const deadline = this.#deadline(id, strangerMs);
    const connection = { id, socket, address, owner: null, deadline, commandOctets: 0, isInData: false };
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
    socket.on("data", ({ length }: Buffer) => {
      if (connection.isInData) return;
      connection.commandOctets += length;
      const { owner } = connection;
      if (owner === null && connection.commandOctets > strangerOctetsMax) connection.socket.destroy();
      if (owner === null || this.#mayIdle(owner, length)) return;
      const { reply, enhanced, words } = mailReplies.tooMuch;
      socket.end(`${reply} ${enhanced} ${words}\r\n`);
      connection.socket.destroySoon();
    });
  }

  #idleOf({ account }: CredentialOwner): Bucket {
    const { perSecond, most } = idleOctets;
    const idle = this.#idle.get(account.id) ?? new Bucket(perSecond, this.#deps.clock.monotonic(), most);
    this.#idle.set(account.id, idle);
    return idle;
  }

  /** False: the octets send nothing, and are too many. */
  #mayIdle(owner: CredentialOwner, octets: number): boolean {
    return this.#idleOf(owner).take(octets, this.#deps.clock.monotonic()) === 0;
  }

  /** Resolves in the turn of the account, or of those who have not signed in. */
  async #turn(owner: CredentialOwner | null, ms: number): Promise<void> {
    if (owner !== null) await this.#work.turn(owner.account.id, ms);
    await this.#turns.next(owner?.account.id);
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
    if (!this.#mayIdle(owner, signInOctets)) return mailReplies.tooMuch;
    connection.commandOctets += signInOctets;
    const others = [...this.#connections.values()].filter((one) => one.owner?.account.id === owner.account.id);
    if (others.length >= connectionsOfAccountMax) return this.#told(owner, mailReplies.tooManyConnections);
    connection.owner = owner;
    connection.deadline.cancel();
    connection.deadline = this.#deadline(id, sessionMs);
    this.#strangers.delete(connection);
    return null;
  }

  /** In the account's turn. */
  async #answer({ id }: SMTPServerSession, answer: Answer, work: Work): Promise<void> {
    const connection = this.#connections.get(id);
    await this.#turn(connection?.owner ?? null, commandMs);
    const refused = connection === undefined ? mailReplies.stopping : work(connection);
    answer(refused === null ? null : replyError(refused));
  }

  #failed(reason: unknown): MailRefusal {
    if (reason instanceof StoreUnavailable) return mailReplies.unavailable;
    this.#deps.log.error({ err: reason }, "a mail failed by a defect");
    return mailReplies.defect;
  }

  #mayMail(connection: Connection, { address }: SMTPServerAddress): MailRefusal | null {
    const { credentials, submitter } = this.#deps;
    if (!this.#isTaking) return mailReplies.stopping;
    if (connection.owner === null) return mailReplies.signInFirst;
    // It may have ended or changed since.
    const owner = credentials.owner(connection.owner.credential.id);
    if (owner === null) return mailReplies.wrongSecret;
    connection.owner = owner;
    if (address === "") return this.#told(owner, mailReplies.bounce);
    const refused = submitter.mayUse(owner, "messages:send");
    return refused === null ? null : mailRefusalOf(submitter.told(owner, refused));
  }

  /** Writes the recipient's E.164 into the envelope. */
  #mayReceive({ owner }: Connection, { envelope }: SMTPServerSession, to: SMTPServerAddress): MailRefusal | null {
    const { settings, submitter } = this.#deps;
    if (owner === null) return mailReplies.signInFirst;
    if (envelope.rcptTo.length >= mailLimits.recipientsMax) return mailReplies.tooManyRecipients;
    const at = to.address.lastIndexOf("@");
    if (domainToASCII(to.address.slice(at + 1)) !== domainToASCII(settings.domain))
      return this.#told(owner, mailReplies.relay(settings.domain));
    const recipient = submitter.recipient(owner, to.address.slice(0, at));
    if (typeof recipient !== "string") return mailRefusalOf(submitter.told(owner, recipient));
    to.address = recipient;
    return null;
  }

  async #mailed(stream: SMTPServerDataStream, session: SMTPServerSession, answer: DataAnswer): Promise<void> {
    const connection = this.#connections.get(session.id);
    const owner = connection?.owner ?? null;
    if (connection === undefined || owner === null) return answer(replyError(mailReplies.signInFirst));
    connection.isInData = true;
    await this.#turn(owner, mailMs);
    const octets = await readOctets(stream, (count) => this.#turn(owner, count * octetMs));
    connection.isInData = false;
    if (octets === null) return void connection.socket.destroy();
    const answered = this.#take(connection, owner, octets, session, answer);
    this.#answering.add(answered);
    await answered;
    this.#answering.delete(answered);
  }

  async #take(
    connection: Connection,
    owner: CredentialOwner,
    octets: MailOctets,
    { envelope }: SMTPServerSession,
    answer: DataAnswer,
  ): Promise<void> {
    const { clock, observer, mails, answerGate = null } = this.#deps;
    const startedMs = clock.monotonic();
    const recipients = [...new Set(envelope.rcptTo.map(({ address }) => address))];
    const taken = gated(
      answerGate,
      mails.take(owner, octets, recipients, (ms) => this.#work.done(owner.account.id, ms)),
    );
    const outcome = await taken.catch((reason) => this.#failed(reason));
    const isSent = !("reply" in outcome || outcome.isRepeat);
    // What led to an accepted mail costs nothing; one that sends nothing costs in proportion.
    this.#idleOf(owner).giveBack(isSent ? connection.commandOctets : -octets.kept.length * refusedMailShare);
    connection.commandOctets = 0;
    observer.served(
      "mail",
      "reply" in outcome ? outcome.cause : isSent ? "accepted" : "repeated",
      clock.monotonic() - startedMs,
    );
    if ("reply" in outcome) answer(replyError(outcome));
    else answer(null, `2.0.0 ${outcome.words}`);
  }

  #told(owner: CredentialOwner, refusal: MailRefusal): MailRefusal {
    this.#deps.customers.refused(owner, refusal.cause, refusal.words);
    return refusal;
  }
}

type DataAnswer = (reason?: Error | null, message?: string) => void;
