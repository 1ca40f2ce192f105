import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

let children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

interface Run {
  child: ChildProcess;
  output: () => string;
  says: (line: string) => Promise<void>;
  code: Promise<number | null>;
}

function program(...behaviour: string[]): Run {
  const support = join(process.cwd(), 'test/support');
  const args = ['--import', join(support, 'typescript.mjs'), join(support, 'stoppable.ts'), ...behaviour];
  return running(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}

function running(child: ChildProcess): Run {
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = async (line: string): Promise<void> => {
    while (!output.split('\n').includes(line)) await pause(10);
  };
  return { child, output: () => output, says, code };
}

describe('a running Offcut', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s', async (signal) => {
    const { child, output, says, code } = program('stops');
    await says('ready');
    child.kill(signal);
    expect(await code).toBe(0);
    // Two pipes, so the two lines can arrive in either order.
    expect(output().split('\n').filter(Boolean).toSorted()).toEqual([
      'Stopping …',
      'ready',
      'starting',
      'stopped',
    ]);
  });

  it('stops cleanly when the npm that started it is killed', async () => {
    const support = join(process.cwd(), 'test/support');
    const command = `"${process.execPath}" --import "${support}/typescript.mjs" "${support}/stoppable.ts" 'stops slowly'`;
    const npm = `require('child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
    const { child, output, says, code } = running(
      spawn(process.execPath, ['-e', npm], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, npm_lifecycle_event: 'start' },
      }),
    );
    await says('ready');
    child.kill('SIGKILL');
    // The pipes close when the last process that holds them ends.
    await code;
    expect(output()).toContain('stopped');
  });

  it('takes one Ctrl-C for one, though npm hands it on a second time', async () => {
    const { child, output, says, code } = program('stops slowly');
    await says('ready');
    child.kill('SIGINT');
    await pause(50);
    child.kill('SIGINT');
    expect(await code).toBe(0);
    expect(output().match(/Stopping/g)).toHaveLength(1);
    expect(output()).toContain('stopped');
  });

  it('ends by force when asked again', async () => {
    const { child, says, code } = program('never stops');
    await says('ready');
    child.kill('SIGINT');
    await pause(1_200);
    child.kill('SIGINT');
    expect(await code).toBe(130);
  });

  it('ends by force after ten seconds', async () => {
    const { child, output, says, code } = program('never stops');
    await says('ready');
    child.kill('SIGTERM');
    const toldAt = performance.now();
    expect(await code).toBe(130);
    expect(performance.now() - toldAt).toBeGreaterThan(9_000);
    expect(output()).toContain('Not stopped after 10 s');
  });

  it('gives its start up when told to stop in the middle of it', async () => {
    const { child, says, code } = program('starts slowly');
    await says('starting');
    child.kill('SIGINT');
    expect(await code).toBe(0);
  });

  it('ends with one line when its port is busy', async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = server.address() as { port: number };
    const { output, code } = program('listens', String(port));
    expect(await code).toBe(1);
    server.close();
    expect(output().trim()).toBe(
      `Port ${port} is used by another program: stop that, or choose another one with PORT=${port + 1}.`,
    );
  });

  it('ends with the stack of what nobody foresaw', async () => {
    const { output, code } = program('fails');
    expect(await code).toBe(1);
    expect(output()).toMatch(/TypeError: nobody foresaw this\n {4}at /);
  });
});
