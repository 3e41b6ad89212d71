/** Bun 1.4.5 accepts `idleTimeout` for Unix sockets too; its types only declare it for TCP. */
import "bun";

declare module "bun" {
  namespace Serve {
    // The type parameter must have the same name as in the interface that this extends.
    interface UnixServeOptions<WebSocketData> extends BaseServeOptions<WebSocketData> {
      idleTimeout?: number;
    }
  }
}
