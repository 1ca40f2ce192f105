import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { CertificatePrinter } from '../../../application/purchases/certificates.js';
import type { Certificate } from '../../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../../application/purchases/dispute-evidence.js';
import { ORIGIN_LABELS } from '../../../application/catalogue/values.js';
import { aiTrainingText, licenceText } from '../../../application/purchases/licence.js';
import { printEvidence } from './evidence-page.js';
import {
  COLUMN,
  GRID,
  GROUND,
  HEIGHT,
  INK,
  MARGIN,
  MUTED,
  ORANGE,
  PALE,
  PAPER,
  WIDTH,
  registerFaces,
  runsOf,
  table,
  write,
  dayOf,
  type Document,
  type Row,
} from './page-parts.js';

const HEAD = 250;

export class PdfCertificatePrinter implements CertificatePrinter {
  async print(certificate: Certificate, verifyUrl: string, evidence?: DisputeEvidence): Promise<Buffer> {
    const { sample, creator } = certificate;
    const document = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: 'en',
      displayTitle: true,
      pdfVersion: '1.7',
      info: {
        Title: `${evidence ? 'Dispute pack' : 'Licence certificate'}: ${sample.title}`,
        Author: 'Offcut',
        Subject: `${sample.title} by ${creator.displayName}`,
        // Fixed dates, so that the same certificate always gives the same file.
        CreationDate: new Date(certificate.issuedAt),
        ModDate: new Date(certificate.issuedAt),
      },
    });
    const bytes = buffer(document);
    registerFaces(document);
    head(document, certificate);
    const below = facts(document, certificate, HEAD + 30);
    licence(document, certificate, below + 18);
    foot(document, certificate, verifyUrl);
    if (evidence) printEvidence(document, certificate, evidence);
    document.end();
    return bytes;
  }
}

function head(document: Document, { sample, creator }: Certificate): void {
  const clip = 84;
  document.polygon([0, 0], [WIDTH - clip, 0], [WIDTH, clip], [WIDTH, HEAD], [0, HEAD]).fill(GROUND);
  document.save();
  document.polygon([0, 0], [WIDTH - clip, 0], [WIDTH, clip], [WIDTH, HEAD], [0, HEAD]).clip();
  document.lineWidth(0.5).strokeColor(GRID);
  for (let x = MARGIN; x < WIDTH; x += 28) document.moveTo(x, 0).lineTo(x, HEAD).stroke();
  for (let y = 26; y < HEAD; y += 28) document.moveTo(0, y).lineTo(WIDTH, y).stroke();
  document.restore();
  // Draws the corner that the background lacks, moved outwards.
  document.polygon([WIDTH - clip + 12, 12], [WIDTH - 12, 12], [WIDTH - 12, clip - 12]).fill(ORANGE);

  document.save().translate(MARGIN, 40).scale(0.9);
  document.path('M1 6h15.5L26 15.5V31H1z').fill(PAPER).path('M19 1h12v12z').fill(ORANGE);
  document.restore();
  write(document, ['display', 22, PAPER], 'Offcut', [MARGIN + 36, 42]);
  write(document, ['strong', 13, ORANGE], 'Licence certificate', [MARGIN, 106]);
  const size = fitting(document, sample.title, 46, COLUMN);
  write(document, ['display', size, PAPER], sample.title, [MARGIN, 128], [COLUMN, 2]);
  const origin = `by ${creator.displayName}, from “${sample.pack}”`;
  write(document, ['text', 13, PALE], origin, [MARGIN, HEAD - 38], [COLUMN, 1]);
}

/** Returns the font size at which a title fits on one line, but at least half of `largest`: then it takes two lines. */
function fitting(document: Document, text: string, largest: number, width: number): number {
  const measured = runsOf(document, 'display', text).reduce(
    (sum, run) => sum + document.font(run.font).fontSize(largest).widthOfString(run.text),
    0,
  );
  return Math.max(largest / 2, Math.min(largest, (largest * width) / measured));
}

function facts(document: Document, certificate: Certificate, top: number): number {
  const { licensee, creator, sample, aiTraining, origin } = certificate;
  const rows: Row[] = [
    ['Licensed to', licensee.displayName, licensee.id],
    ['Licensed by', creator.displayName, creator.id],
    ['Sound', sample.title, sample.id],
    ['Issued', dayOf(certificate.issuedAt), certificate.issuedAt],
    ['Certificate', certificate.id],
    ...(aiTraining === undefined ? [] : [['AI training', aiTrainingText(aiTraining)] as Row]),
    ...(origin === undefined ? [] : [['Origin', ORIGIN_LABELS[origin]] as Row]),
    ['File, SHA-256', certificate.fileSha256],
  ];
  return table(document, rows, top);
}

function licence(document: Document, { licenceVersion }: Certificate, top: number): void {
  write(document, ['strong', 11, INK], `Offcut sample licence ${licenceVersion}`, [MARGIN, top]);
  let y = top + 20;
  for (const sentence of licenceText(licenceVersion)) {
    document.polygon([MARGIN, y + 2], [MARGIN + 6, y + 6], [MARGIN, y + 10]).fill(ORANGE);
    write(document, ['text', 10, INK], sentence, [MARGIN + 16, y], [COLUMN - 16, 3]);
    document.font('text/latin').fontSize(10);
    y += document.heightOfString(sentence, { width: COLUMN - 16, lineGap: 2 }) + 6;
  }
}

function foot(document: Document, { signature }: Certificate, verifyUrl: string): void {
  const top = HEIGHT - 120;
  document
    .moveTo(MARGIN, top)
    .lineTo(WIDTH - MARGIN, top)
    .lineWidth(2)
    .stroke(INK);
  write(document, ['strong', 10, INK], 'Check this certificate', [MARGIN, top + 14]);
  write(document, ['mono', 7.5, INK], verifyUrl, [MARGIN, top + 30], [COLUMN, 1]);
  document.link(MARGIN, top + 26, COLUMN, 16, verifyUrl);
  write(document, ['text', 10, MUTED], 'Signature, Ed25519', [MARGIN, top + 50]);
  write(document, ['mono', 7, MUTED], signature, [MARGIN, top + 66], [COLUMN, 2]);
}
