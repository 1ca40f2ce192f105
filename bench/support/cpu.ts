import { readFileSync, readdirSync } from 'node:fs';

const TICK_MS = 10;

/**
 * Returns the processor time that this process and a PostgreSQL server have used so far, in ms; NaN without /proc.
 * Unlike rates, it hardly depends on other work on the machine.
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

/** Returns the ticks of the server including its ended children, or of a living child; 0 for other processes. */
function ticksOf(pid: number, serverPid: number): number {
  try {
    // The name in parentheses may contain blanks. The state and the parent follow it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [own, ended] = [sum(fields.slice(11, 13)), sum(fields.slice(13, 15))];
    if (pid === serverPid) return own + ended;
    return fields[1] === serverPid ? own : 0;
  } catch {
    return 0; // The process has ended in the meantime.
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
