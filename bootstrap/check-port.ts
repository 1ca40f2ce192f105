import { createServer } from 'node:net';

/**
 * Finds out before anything is opened whether the port can be listened on.
 * @throws the system's error, such as EADDRINUSE
 */
export function checkPort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
