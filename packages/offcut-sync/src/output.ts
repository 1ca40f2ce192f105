import type { Progress } from './sync.js';

/** Prints events as lines of JSON, or as sentences with a line of progress on a terminal. */
export function printer<Event extends { event: string }>(
  json: boolean,
  sentenceOf: (event: Exclude<Event, Progress>) => string,
): (event: Event | Progress) => void {
  const isProgress = (event: Event | Progress): event is Progress => event.event === 'progress';
  if (json)
    return (event) => {
      if (!isProgress(event)) console.log(JSON.stringify(event));
    };
  const { stderr } = process;
  const clear = () => stderr.isTTY && stderr.write('\r\u001B[K');
  return (event) => {
    if (!isProgress(event)) {
      clear();
      console.log(sentenceOf(event as Exclude<Event, Progress>));
    } else if (stderr.isTTY) {
      const share = event.done / event.files;
      const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
      const line = `${bar} ${event.done}/${event.files} ${(event.bytes / 1e6).toFixed(1)} MB ${event.file}`;
      stderr.write(`\r\u001B[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    }
  };
}
