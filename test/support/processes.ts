import { execFileSync } from 'node:child_process';

/** Returns the processes that name the folder in their arguments or environment, except `ps` itself. */
export function processesOf(path: string): string[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return listed.split('\n').filter((line) => line.includes(path));
}
