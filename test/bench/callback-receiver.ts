/** A receiver of callbacks in its own process: answers at once, after 50 ms at /far, and never at /hang. Its key pair is in the environment. */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  tls: { key: process.env.RECEIVER_KEY ?? "", cert: process.env.RECEIVER_CERT ?? "" },
  async fetch(request) {
    await request.arrayBuffer();
    const { pathname } = new URL(request.url);
    if (pathname === "/hang") await new Promise(() => undefined);
    if (pathname === "/far") await Bun.sleep(50);
    return new Response("ok");
  },
});

console.log(server.port);
