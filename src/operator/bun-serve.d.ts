/** Bun 1.4.5 takes `idleTimeout` for Unix sockets, too; its types name it for TCP only. */
import "bun";

declare module "bun" {
  namespace Serve {
    // The name of the parameter must be that of the interface that this extends.
    interface UnixServeOptions<WebSocketData> extends BaseServeOptions<WebSocketData> {
      idleTimeout?: number;
    }
  }
}
