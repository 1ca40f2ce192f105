import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATIENCE_MS = 5_000;
const POLL_MS = 100;

const pause = (durationMs) => new Promise((done) => setTimeout(done, durationMs));

/**
 * A folder for everything that a test run writes to disk. It is the run's TMPDIR, so every process of the run names
 * it in its arguments or environment. This includes a database server in its own process group.
 */
export class RunFolder {
  path = mkdtempSync(join(tmpdir(), 'offcut-run-'));

  /** Ends the processes that outlive the run, and removes the folder. */
  async remove() {
    // Servers that notice the end of the run shut down themselves. Others get SIGINT, then SIGKILL.
    if (!(await this.#isQuiet())) this.#signal('SIGINT');
    if (!(await this.#isQuiet())) this.#signal('SIGKILL');
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  async #isQuiet() {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
      if (this.#processes().length === 0) return true;
      await pause(POLL_MS);
    }
    return false;
  }

  #signal(name) {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has ended in the meantime.
      }
    }
  }

  /** Returns the ids of the processes that name the folder in their arguments or environment. */
  #processes() {
    const env = { ...process.env };
    delete env.TMPDIR;
    const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return listed
      .split('\n')
      .filter((line) => line.includes(this.path))
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => pid !== process.pid);
  }
}
