import { progressOf } from '../progress.js';
import type { Tools } from '../tools.js';
import { importFolder, type ImportReport, type ImportRequest } from './import-pack.js';
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
      { ...progressOf('files', 25), notice: (text) => console.error(text) },
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
