/** A client of SMTP that says exactly what it is told to, octet by octet. */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export class SmtpDialogue {
  #said = "";
  #isOver = false;
  #wake = () => {};
  #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen(socket);
  }

  /** Resolves with the greeting read. `tls`: from the first octet. */
  static async open(port: number, { tls = false }: { tls?: boolean } = {}): Promise<SmtpDialogue> {
    const at = { host: "127.0.0.1", port };
    const dialogue = new SmtpDialogue(tls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at));
    await dialogue.reply();
    return dialogue;
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on("data", (octets) => {
      this.#said += octets.toString("latin1");
      this.#wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  /** The next whole reply; what is left if the connection ended. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3}(?: [^\r\n]*)?\r\n/.exec(this.#said)?.[0];
      if (whole !== undefined) {
        this.#said = this.#said.slice(whole.length);
        return whole.trimEnd();
      }
      if (this.#isOver) return this.#said;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  write(octets: string | Uint8Array): void {
    this.#socket.write(octets);
  }

  say(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    return this.reply();
  }

  signIn(name: string, password: string): Promise<string> {
    return this.say(`AUTH PLAIN ${Buffer.from(`\0${name}\0${password}`).toString("base64")}`);
  }

  /** Until DATA was answered. Resolves with the first refusal, or 354. */
  async begin(to: readonly string[], from = "ups@example.com"): Promise<string> {
    for (const line of [`MAIL FROM:<${from}>`, ...to.map((one) => `RCPT TO:<${one}>`)]) {
      const reply = await this.say(line);
      if (!reply.startsWith("2")) return reply;
    }
    return this.say("DATA");
  }

  /** `mail`: header and body, with CR LF. */
  async send(to: readonly string[], mail: string | Uint8Array): Promise<string> {
    const begun = await this.begin(to);
    if (!begun.startsWith("354")) return begun;
    this.write(mail);
    return this.say("\r\n.");
  }

  /** Once STARTTLS was accepted. */
  async startTls(): Promise<void> {
    this.#socket.removeAllListeners("data");
    const secure = connectTls({ socket: this.#socket, rejectUnauthorized: false });
    this.#listen(secure);
    await new Promise((resolve) => secure.once("secureConnect", resolve));
  }

  /** Without a word. */
  cut(): void {
    this.#socket.destroy();
  }
}
