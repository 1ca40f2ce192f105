import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { CertificatePrinter } from '../../../application/purchases/certificates.js';
import type { Certificate } from '../../../application/purchases/contract.js';
import { aiTrainingText, licenceText } from '../../../application/purchases/licence.js';
import { registerFaces, runsOf, type Style } from './house-type.js';

type Document = InstanceType<typeof PDFDocument>;

const INK = '#12201A';
const GROUND = '#0D1815';
const GRID = '#1B2D26';
const PAPER = '#FFFFFF';
const MUTED = '#45584F';
const LINE = '#CED7CD';
const ORANGE = '#FF5A2C';
const PALE = '#B0C2B8';

const WIDTH = 595.28;
const HEIGHT = 841.89;
const MARGIN = 56;
const COLUMN = WIDTH - 2 * MARGIN;
const HEAD = 250;

export class PdfCertificatePrinter implements CertificatePrinter {
  async print(certificate: Certificate, verifyUrl: string): Promise<Buffer> {
    const { sample, creator } = certificate;
    const document = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: 'en',
      displayTitle: true,
      pdfVersion: '1.7',
      info: {
        Title: `Licence certificate: ${sample.title}`,
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
  // The clipped corner, moved outwards.
  document.polygon([WIDTH - clip + 12, 12], [WIDTH - 12, 12], [WIDTH - 12, clip - 12]).fill(ORANGE);

  document.save().translate(MARGIN, 40).scale(0.9);
  document.path('M1 6h15.5L26 15.5V31H1z').fill(PAPER).path('M19 1h12v12z').fill(ORANGE);
  document.restore();
  write(document, 'display', 'Offcut', { x: MARGIN + 36, y: 42, size: 22, color: PAPER });
  write(document, 'strong', 'Licence certificate', { x: MARGIN, y: 106, size: 13, color: ORANGE });
  const size = fitting(document, sample.title, 46, COLUMN);
  write(document, 'display', sample.title, {
    x: MARGIN,
    y: 128,
    size,
    color: PAPER,
    width: COLUMN,
    lines: 2,
  });
  write(document, 'text', `by ${creator.displayName}, from “${sample.pack}”`, {
    x: MARGIN,
    y: HEAD - 38,
    size: 13,
    color: PALE,
    width: COLUMN,
    lines: 1,
  });
}

/** Returns the largest size, down to half, at which a title fits on one line. Longer titles take two lines. */
function fitting(document: Document, text: string, largest: number, width: number): number {
  const measured = runsOf(document, 'display', text).reduce(
    (sum, run) => sum + document.font(run.font).fontSize(largest).widthOfString(run.text),
    0,
  );
  return Math.max(largest / 2, Math.min(largest, (largest * width) / measured));
}

function facts(document: Document, certificate: Certificate, top: number): number {
  const { licensee, creator, sample, aiTraining } = certificate;
  const rows: [string, string, string?][] = [
    ['Licensed to', licensee.displayName, licensee.id],
    ['Licensed by', creator.displayName, creator.id],
    ['Sound', sample.title, sample.id],
    ['Issued', dayOf(certificate.issuedAt), certificate.issuedAt],
    ['Certificate', certificate.id],
    ...(aiTraining === undefined ? [] : [['AI training', aiTrainingText(aiTraining)] as [string, string]]),
    ['File, SHA-256', certificate.fileSha256],
  ];
  let y = top;
  for (const [label, value, small] of rows) {
    const isId = small === undefined;
    write(document, 'text', label, { x: MARGIN, y: y + 1, size: 10, color: MUTED });
    const x = MARGIN + 110;
    const width = COLUMN - 110;
    write(document, isId ? 'mono' : 'strong', value, {
      x,
      y,
      size: isId ? 8 : 12,
      color: INK,
      width,
      lines: 1,
    });
    if (small) write(document, 'mono', small, { x, y: y + 16, size: 7, color: MUTED, width, lines: 1 });
    y += small ? 34 : 22;
    document
      .moveTo(MARGIN, y - 4)
      .lineTo(WIDTH - MARGIN, y - 4)
      .lineWidth(0.5)
      .stroke(LINE);
    y += 4;
  }
  return y;
}

function licence(document: Document, { licenceVersion }: Certificate, top: number): void {
  write(document, 'strong', `Offcut sample licence ${licenceVersion}`, {
    x: MARGIN,
    y: top,
    size: 11,
    color: INK,
  });
  let y = top + 20;
  for (const sentence of licenceText(licenceVersion)) {
    document.polygon([MARGIN, y + 2], [MARGIN + 6, y + 6], [MARGIN, y + 10]).fill(ORANGE);
    write(document, 'text', sentence, {
      x: MARGIN + 16,
      y,
      size: 10,
      color: INK,
      width: COLUMN - 16,
      lines: 3,
    });
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
  write(document, 'strong', 'Check this certificate', { x: MARGIN, y: top + 14, size: 10, color: INK });
  write(document, 'mono', verifyUrl, {
    x: MARGIN,
    y: top + 30,
    size: 7.5,
    color: INK,
    width: COLUMN,
    lines: 1,
  });
  document.link(MARGIN, top + 26, COLUMN, 16, verifyUrl);
  write(document, 'text', 'Signature, Ed25519', { x: MARGIN, y: top + 50, size: 10, color: MUTED });
  write(document, 'mono', signature, {
    x: MARGIN,
    y: top + 66,
    size: 7,
    color: MUTED,
    width: COLUMN,
    lines: 2,
  });
}

const dayOf = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

interface Place {
  x: number;
  y: number;
  size: number;
  color: string;
  width?: number;
  /** Longer texts end in an ellipsis. */
  lines?: number;
}

function write(document: Document, style: Style, text: string, place: Place): void {
  const { x, y, size, color, width, lines } = place;
  document.fontSize(size).fillColor(color);
  const runs = runsOf(document, style, text);
  for (const [index, { font, text: part }] of runs.entries()) {
    const continued = index < runs.length - 1;
    const lineHeight = size * 1.4;
    const box = {
      continued,
      lineGap: style === 'display' ? -size * 0.12 : 2,
      ...(width === undefined ? { lineBreak: false } : { width }),
      ...(lines === undefined || width === undefined ? {} : { height: lines * lineHeight, ellipsis: true }),
    };
    document.font(font);
    if (index === 0) document.text(part, x, y, box);
    else document.text(part, box);
  }
}
