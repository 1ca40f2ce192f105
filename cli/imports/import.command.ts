import { SingleBar } from 'cli-progress';
import type { Tools } from '../tools.js';
import { importFolder, type ImportProgress, type ImportReport, type ImportRequest } from './import-pack.js';
import { openImportTools } from './import-tools.js';

const INTERRUPTED = 130;

export async function runImport(tools: Tools, request: ImportRequest): Promise<number> {
  const importTools = await openImportTools(tools);
  const interruption = new AbortController();
  // The first Ctrl-C finishes the files in progress and prints what was imported. A second Ctrl-C exits at once.
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    const report = await importFolder(
      importTools,
      { ...request, signal: interruption.signal },
      progressBar(),
    );
    for (const line of summary(report)) console.log(line);
    if (report.isWithheld)
      console.log('The folder was exported from a published pack. Add --publish to put this one on sale.');
    if (report.interrupted) {
      console.error('offcut: interrupted. Run the same command again to continue.');
      return INTERRUPTED;
    }
    return report.failures.length > 0 ? 1 : 0;
  } finally {
    process.off('SIGINT', interrupt);
    await importTools.close();
  }
}

function progressBar(): ImportProgress {
  if (!process.stderr.isTTY) {
    let done = 0;
    let total = 0;
    return {
      notice: (text) => console.error(text),
      start: (count) => void (total = count),
      advance: () => {
        done += 1;
        if (done % 25 === 0 || done === total) console.error(`${done} of ${total} files`);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total}  {eta_formatted}  {file}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    hideCursor: true,
    stream: process.stderr,
  });
  return {
    notice: (text) => console.error(text),
    start: (total) => bar.start(total, 0, { file: '' }),
    advance: (file) => bar.increment(1, { file: file.slice(0, 40) }),
    stop: () => bar.stop(),
  };
}

function summary({ pack, slug, status, added, known, failures }: ImportReport): string[] {
  const rows: Array<[string, string | number]> = [
    ['Pack', `${pack} (${slug}, ${status})`],
    ['Added', added],
    ['Already there', known],
    ['Failed', failures.length],
  ];
  return [
    ...rows.map(([label, value]) => `${label.padEnd(14)}${value}`),
    ...failures.map(({ file, reason }) => `  ${file}: ${reason}`),
  ];
}
