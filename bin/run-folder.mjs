import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATIENCE_MS = 5_000;
const POLL_MS = 100;

const pause = (durationMs) => new Promise((done) => setTimeout(done, durationMs));

/**
 * A folder that takes everything a test run leaves on disk. It is the run's TMPDIR, so every process of the run,
 * a database server in a process group of its own included, names it in its arguments or its environment.
 */
export class RunFolder {
  path = mkdtempSync(join(tmpdir(), 'offcut-run-'));

  /** Ends the processes that outlived the run and removes the folder. */
  async remove() {
    // Servers that notice the end of the run by themselves close in order; the rest is asked, then forced.
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
        // It ended by itself meanwhile.
      }
    }
  }

  /** Ids of the processes that name the folder in their arguments or environment. */
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
