import { readFileSync, readdirSync } from 'node:fs';

const TICK_MS = 10;

/**
 * Processor time that this process and a PostgreSQL server have taken so far, in ms; NaN where there is no /proc.
 * Unlike rates it hardly depends on who else uses the machine.
 */
export function cpuMs(serverPid: number): number {
  const { user, system } = process.cpuUsage();
  let ticks = 0;
  try {
    for (const pid of readdirSync('/proc')) {
      if (/^\d+$/.test(pid)) ticks += ticksOf(Number(pid), serverPid);
    }
  } catch {
    return Number.NaN;
  }
  return (user + system) / 1_000 + ticks * TICK_MS;
}

/** Of the server itself, with what its ended children took, or of one of its living children; else 0. */
function ticksOf(pid: number, serverPid: number): number {
  try {
    // The name in parentheses may hold blanks; after it come the state and the parent.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [own, ended] = [sum(fields.slice(11, 13)), sum(fields.slice(13, 15))];
    if (pid === serverPid) return own + ended;
    return fields[1] === serverPid ? own : 0;
  } catch {
    return 0; // It has ended meanwhile.
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
