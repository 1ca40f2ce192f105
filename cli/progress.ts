import { SingleBar } from 'cli-progress';

/** Reports progress on stderr: a bar on a terminal, else a line now and then. */
export interface Progress {
  start(total: number): void;
  /** @param label the item that was processed, such as the name of a file */
  advance(by: number, label: string): void;
  stop(): void;
}

const LABEL_LENGTH = 40;

/**
 * @param unit what `start` and `advance` count @param lineEvery the number of units between two printed lines if the
 * output is not a terminal
 */
export function progressOf(unit: 'files' | 'MB', lineEvery: number): Progress {
  const size = unit === 'MB' ? 1_000_000 : 1;
  if (!process.stderr.isTTY) {
    let done = 0;
    let total = 0;
    return {
      start: (all) => void (total = all),
      advance: (by) => {
        const lines = Math.floor(done / lineEvery);
        done += by;
        if (Math.floor(done / lineEvery) > lines || (done === total && by > 0))
          console.error(`${Math.round(done / size)} of ${Math.round(total / size)} ${unit}`);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total}  {eta_formatted}  {label}',
    formatValue: (value, _, type) =>
      type === 'value' || type === 'total' ? String(Math.round(value / size)) : String(value),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    hideCursor: true,
    stream: process.stderr,
  });
  return {
    start: (total) => bar.start(total, 0, { label: '' }),
    advance: (by, label) => bar.increment(by, { label: label.slice(0, LABEL_LENGTH) }),
    stop: () => bar.stop(),
  };
}
