import type { TraceQuery } from '../../application/ledger/trace/trace-contract.js';
import { Explain } from '../../application/ledger/trace/explain.js';
import { tiesOut, traceText } from '../../application/ledger/trace/trace-text.js';
import type { Tools } from '../tools.js';
import type { ListFormat } from './finance-lists.js';

/** Explains an id of the books. @returns whether it is known, every sum ties and every event has its hash */
export async function printTrace(
  { app }: Tools,
  { id, ...query }: TraceQuery & { id: string },
  format: ListFormat,
  print: (line: string) => void,
): Promise<boolean> {
  const trace = await app.get(Explain).of(id, query);
  if (!trace) {
    print(`nothing in the books has the id ${id}`);
    return false;
  }
  for (const line of format === 'json' ? [JSON.stringify(trace, null, 2)] : traceText(trace)) print(line);
  return tiesOut(trace);
}
