import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy that can imitate a vanished peer: while it is black, it accepts all bytes and forwards none.
 * Connections that were open at that time stay silent for ever. New ones pass after `goLight`.
 */
export class BlackProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly near = new Set<Socket>();
  private isBlack = false;

  private constructor(target: { host: string; port: number }) {
    this.server = createServer((near) => {
      this.keep(near);
      this.near.add(near);
      near.once('close', () => this.near.delete(near));
      const far = this.keep(createConnection(target));
      let lost = this.isBlack;
      this.server.on('black', () => (lost = true));
      near.on('data', (bytes) => lost || far.write(bytes));
      far.on('data', (bytes) => lost || near.write(bytes));
      near.on('close', () => far.destroy());
      far.on('close', () => lost || near.destroy());
    });
    // Every connection adds a listener.
    this.server.setMaxListeners(0);
  }

  /** @param url the server behind the proxy */
  static async before(url: string): Promise<{ proxy: BlackProxy; url: string }> {
    const { hostname, port } = new URL(url);
    const proxy = new BlackProxy({ host: hostname, port: Number(port) });
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((proxy.server.address() as { port: number }).port);
    return { proxy, url: through.href };
  }

  /** The number of open client connections. */
  get count(): number {
    return this.near.size;
  }

  /** Silences all open connections, as if a device on the way had forgotten them. New connections pass. */
  silence(): void {
    this.goBlack();
    this.goLight();
  }

  goBlack(): void {
    this.isBlack = true;
    this.server.emit('black');
  }

  goLight(): void {
    this.isBlack = false;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
