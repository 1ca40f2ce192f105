interface Capacity {
  atOnce: number;
  waiting: number;
}

/** Work that occupies a processor or thread for a while. */
export type HeavyWork = 'passwords' | 'pictures' | 'audio' | 'certificates' | 'listings';

/**
 * Returns how many tasks of each kind a node runs at once, and how many may wait.
 * @param machine.threads Node's thread pool, which draws pictures, compresses and reads files; with four or more
 * threads, most stay free for files
 */
export function capacityOf(machine: { processors: number; threads: number }): Record<HeavyWork, Capacity> {
  const lane = (atOnce: number, waitingEach: number): Capacity => {
    const lanes = Math.max(1, Math.floor(atOnce));
    return { atOnce: lanes, waiting: lanes * waitingEach };
  };
  return {
    // Passwords use their own threads. About four seconds of work may wait.
    passwords: lane(machine.processors / 2, 64),
    // About ten seconds. A new pack draws its cover in several sizes.
    pictures: lane(Math.min(machine.processors, machine.threads) / 4, 100),
    // A worker may need half a gigabyte, and a browser uploads several files at once.
    audio: lane(Math.min(4, machine.processors / 2), 32),
    // One thread prints. About ten seconds of work may wait.
    certificates: lane(1, 32),
    // A listing makes up to twenty requests to the storage.
    listings: lane(2, 16),
  };
}

export const CAPACITY = capacityOf({
  processors: navigator.hardwareConcurrency,
  threads: Number(process.env.UV_THREADPOOL_SIZE) || 4,
});
