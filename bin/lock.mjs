import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';

const HEARTBEAT_MS = 1_000;
const ABANDONED_AFTER_MS = 10_000;

const pause = (durationMs) => new Promise((done) => setTimeout(done, durationMs));

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether the holder is gone: its process ended, or its heartbeat stopped (process ids are reused). */
function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    const ageMs = Date.now() - statSync(path).mtimeMs;
    return ageMs > ABANDONED_AFTER_MS || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

function take(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Runs `work` while holding the lock file at `path`. Waits while another process holds it. */
export async function whileLocked(path, say, work) {
  let waited = false;
  while (!take(path)) {
    if (isAbandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!waited) say('another start is installing or building; waiting for it');
    waited = true;
    await pause(200);
  }
  const release = () => rmSync(path, { force: true });
  const beating = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // A user removed the lock file; the work continues.
    }
  }, HEARTBEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beating);
    process.off('exit', release);
    release();
  }
}
