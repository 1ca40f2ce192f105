import { createServer } from 'node:net';

/** Checks that the port is free before any resource is opened. @throws the system's error, such as EADDRINUSE */
export function checkPort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
