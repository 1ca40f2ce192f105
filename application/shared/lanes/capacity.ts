import { availableParallelism } from 'node:os';

interface Capacity {
  atOnce: number;
  waiting: number;
}

/** Kinds of work that keep a processor or a thread busy for a while. */
export type HeavyWork = 'passwords' | 'pictures' | 'audio' | 'certificates' | 'listings';

/**
 * How much of each kind a node does at once, and how much may wait for it.
 * @param machine.threads Node's own, which draw pictures, compress and read files: from four on, most are left for files
 */
export function capacityOf(machine: { processors: number; threads: number }): Record<HeavyWork, Capacity> {
  const lane = (atOnce: number, waitingEach: number): Capacity => {
    const lanes = Math.max(1, Math.floor(atOnce));
    return { atOnce: lanes, waiting: lanes * waitingEach };
  };
  return {
    // In threads of their own; about four seconds of work wait.
    passwords: lane(machine.processors / 2, 64),
    // About ten seconds; a new pack draws its cover in several sizes.
    pictures: lane(Math.min(machine.processors, machine.threads) / 4, 100),
    // A worker may take half a gigabyte, and a browser uploads several files at a time.
    audio: lane(Math.min(4, machine.processors / 2), 32),
    // One thread prints, about ten seconds wait.
    certificates: lane(1, 32),
    // A listing is up to twenty questions to the storage.
    listings: lane(2, 16),
  };
}

export const CAPACITY = capacityOf({
  processors: availableParallelism(),
  threads: Number(process.env.UV_THREADPOOL_SIZE) || 4,
});
