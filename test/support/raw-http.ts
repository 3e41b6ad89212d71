/** Handwritten HTTP, for requests that no client library would send. */

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

export interface RawConnection {
  write(text: string | Uint8Array): void;
  /** Everything received so far. */
  received(): string;
  isClosed(): boolean;
  /** The first response that is complete according to its Content-Length. */
  answer(): Promise<RawAnswer>;
  end(): void;
}

/** Null until the whole response is there. */
function parseAnswer(text: string, isHead: boolean): RawAnswer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(":")[0] ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const body = Buffer.from(text.slice(end + 4), "latin1");
  const length = isHead ? 0 : Number(headers.get("content-length") ?? 0);
  if (body.length < length) return null;
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.subarray(0, length).toString("utf8") };
}

export async function rawConnection(port: number): Promise<RawConnection> {
  let text = "";
  let isClosed = false;
  let isHead = false;
  let heard = () => {};
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        text += chunk.toString("latin1");
        heard();
      },
      close() {
        isClosed = true;
        heard();
      },
    },
  });
  return {
    write(sent) {
      if (typeof sent === "string" && sent.startsWith("HEAD ")) isHead = true;
      socket.write(typeof sent === "string" ? Buffer.from(sent, "latin1") : sent);
    },
    received: () => text,
    isClosed: () => isClosed,
    async answer() {
      for (;;) {
        const whole = parseAnswer(text, isHead);
        if (whole !== null) return whole;
        if (isClosed) throw new Error(`The connection closed without an answer: ${text.slice(0, 200)}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
    end: () => void socket.end(),
  };
}
