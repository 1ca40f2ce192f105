import type { Certificate } from '../../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../../application/purchases/dispute-evidence.js';
import {
  COLUMN,
  GROUND,
  HEIGHT,
  INK,
  LINE,
  MARGIN,
  MUTED,
  ORANGE,
  PAPER,
  WIDTH,
  dayOf,
  table,
  write,
  type Document,
  type Row,
} from './page-parts.js';

const HEAD = 84;
const BARS = 46;
const COPIES_SHOWN = 4;

/** Adds the second page of the PDF of evidence: the files, the purchase in the log, and the waveforms. */
export function printEvidence(
  document: Document,
  { sample, fileSha256 }: Certificate,
  { copies, log, returnedAt, waveforms }: DisputeEvidence,
): void {
  document.addPage({ size: 'A4', margin: 0 });
  document.polygon([0, 0], [WIDTH - 44, 0], [WIDTH, 44], [WIDTH, HEAD], [0, HEAD]).fill(GROUND);
  write(document, ['strong', 12, ORANGE], 'Dispute pack', [MARGIN, 20]);
  write(document, ['display', 24, PAPER], sample.title, [MARGIN, 38], [COLUMN - 44, 1]);

  let y = heading(document, 'Files that the licence covers', HEAD + 20);
  y = table(document, fileRows(fileSha256, copies), y);
  y = heading(document, 'The purchase in the log of Offcut', y + 12);
  y = table(document, logRows(log, returnedAt), y);
  y = heading(document, 'Waveforms', y + 12);
  y = originalWaveform(document, waveforms.original, y);
  if (waveforms.compared) comparedWaveform(document, waveforms.compared, y + 10);

  const top = HEIGHT - 72;
  document
    .moveTo(MARGIN, top)
    .lineTo(WIDTH - MARGIN, top)
    .lineWidth(2)
    .stroke(INK);
  const how =
    '“how to check.txt” in this ZIP explains how to verify every hash and signature with “dispute pack.json” and the public keys of Offcut.';
  write(document, ['text', 10, INK], how, [MARGIN, top + 14], [COLUMN, 2]);
}

function heading(document: Document, text: string, top: number): number {
  write(document, ['strong', 12, INK], text, [MARGIN, top]);
  return top + 24;
}

function fileRows(fileSha256: string, copies: DisputeEvidence['copies']): Row[] {
  const more = copies.length - COPIES_SHOWN;
  return [
    ['Original, SHA-256', fileSha256],
    ...copies.slice(0, COPIES_SHOWN).map(({ sha256 }, at): Row => [`Tagged copy ${at + 1}`, sha256]),
    ...(more > 0 ? [['More copies', `${more} more in “dispute pack.json”`] as Row] : []),
  ];
}

function logRows({ event, hash, head, statement }: DisputeEvidence['log'], returnedAt: string | null): Row[] {
  const covered: Row[] = head
    ? [
        ['Signed head', `Position ${head.position}, signed ${head.signedAt}`],
        ['Hash of the head', head.hash],
      ]
    : [['Signed head', 'None yet: the log is signed once an hour']];
  return [
    ['Recorded', dayOf(event.recordedAt), event.recordedAt],
    ['Event', `${event.type}, position ${event.position}`],
    ['Hash of the event', hash],
    ...covered,
    ['Statement signed', statement.signedAt],
    ...(returnedAt ? [['Returned', dayOf(returnedAt), returnedAt] as Row] : []),
  ];
}

function originalWaveform(document: Document, bars: readonly number[] | null, top: number): number {
  write(document, ['strong', 10, INK], 'Licensed file', [MARGIN, top]);
  if (bars) {
    draw(document, bars, ORANGE, top + 16);
    return top + 16 + BARS;
  }
  const text = 'The sample has other audio now, so the waveform of the licensed file is not available.';
  write(document, ['text', 10, MUTED], text, [MARGIN, top + 16], [COLUMN, 1]);
  return top + 32;
}

function comparedWaveform(
  document: Document,
  { name, durationMs, bars }: NonNullable<DisputeEvidence['waveforms']['compared']>,
  top: number,
): void {
  write(document, ['strong', 10, INK], `${name}, ${lengthOf(durationMs)}`, [MARGIN, top], [COLUMN, 1]);
  draw(document, bars, INK, top + 16);
  const whose = 'Measured in the browser of the licensee. Offcut has not received this file.';
  write(document, ['text', 9, MUTED], whose, [MARGIN, top + 20 + BARS], [COLUMN, 1]);
}

function draw(document: Document, bars: readonly number[], color: string, top: number): void {
  const step = COLUMN / bars.length;
  const middle = top + BARS / 2;
  document
    .moveTo(MARGIN, middle)
    .lineTo(WIDTH - MARGIN, middle)
    .lineWidth(0.5)
    .stroke(LINE);
  for (const [at, level] of bars.entries()) {
    const height = Math.max(0.5, (level / 100) * BARS);
    document.rect(MARGIN + at * step, middle - height / 2, step * 0.7, height);
  }
  document.fill(color);
}

function lengthOf(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
