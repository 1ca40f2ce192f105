import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A minimal mail server that mail clients accept. */
export class MailServer {
  readonly mails: string[] = [];
  /** Answers to `MAIL FROM`, each used once. After them, mails are accepted. */
  refusals: string[] = [];
  /** Mails that it received without answering. */
  unanswered = 0;
  isSilent = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.serve(socket));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Closes all connections, whatever their state. */
  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): Promise<void> {
    this.hangUp();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    let body: string | undefined;
    let buffered = '';
    socket.write('220 mail.example\r\n');
    socket.on('data', (chunk) => {
      buffered += chunk.toString();
      let end: number;
      while ((end = buffered.indexOf('\r\n')) >= 0) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (body !== undefined && line !== '.') body += `${line}\n`;
        else if (body !== undefined) {
          if (this.isSilent) this.unanswered += 1;
          else {
            this.mails.push(body);
            socket.write('250 taken\r\n');
          }
          body = undefined;
        } else if (/^DATA/i.test(line)) {
          body = '';
          socket.write('354 go on\r\n');
        } else if (/^MAIL/i.test(line)) socket.write(`${this.refusals.shift() ?? '250 ok'}\r\n`);
        else socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  }
}
