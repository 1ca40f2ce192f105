import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Program {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Default: the current user. */
  uid?: number | undefined;
}

const START_LIMIT_MS = 90_000;

/** A process of the cluster that can be killed and started again on its files and ports. */
export class Part {
  private child: ChildProcess | undefined;

  /**
   * @param answers whether it is ready
   * @param log the file for its output
   */
  constructor(
    readonly name: string,
    readonly program: Program,
    private readonly answers: () => Promise<boolean>,
    private readonly log: string,
  ) {}

  /** @throws if it ends, or is not ready in time */
  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  launch(): void {
    const { command, args, env, uid } = this.program;
    const log = openSync(this.log, 'a');
    this.child = spawn(command, args, {
      stdio: ['ignore', log, log],
      cwd: process.cwd(),
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
      ...(uid !== undefined && { uid, gid: uid }),
    });
    closeSync(log);
  }

  async ready(): Promise<void> {
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.answers().catch(() => false))) {
      if (this.hasEnded || Date.now() > until)
        throw new Error(`${this.name} does not answer: see ${this.log}`);
      await pause(100);
    }
  }

  /** @returns when the process has ended */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || this.hasEnded) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  private get hasEnded(): boolean {
    return this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
