import type { CreatorRef, Sample } from '../../application/catalogue/contract.js';
import { previewSeconds, WAVEFORM_BARS } from '../../application/catalogue/values.js';
import { narrowed } from '../../application/media/values.js';
import type { Embeddable } from '../../application/pages/values.js';
import { paths } from '../../application/pages/paths.js';
import { escaped } from '../../domain/shared/markup.js';
import type { PublicAddress } from '../platform/pages/public-address.js';

export interface Embedded extends Embeddable {
  /** Absent for collections and workbenches, which do not name their owner. */
  creator?: CreatorRef;
  /** The path of the embedded item's page on this site. */
  path: string;
  artworkUrl: string | null;
  facts: readonly string[];
  /** The price of all samples of the item. For a pack, this can be less than the sum of their prices. */
  credits: number;
  samples: readonly Sample[];
}

/** A longer list would make the player slow to load. */
const LISTED_SAMPLES = 60;
const COVER_PX = 192;

const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M1 6h15.5L26 15.5V31H1z"/><path class="cut" d="M19 1h12v12z"/></svg>';
const PLAY_AND_PAUSE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="to-play" d="M7 4v16l13-8z"/><path class="to-pause" d="M6 4h4v16H6zm8 0h4v16h-4z"/></svg>';
/** `embed.js` draws the bars. */
const WAVE = `<svg viewBox="0 0 ${WAVEFORM_BARS} 40" preserveAspectRatio="none" aria-hidden="true"><path/></svg>`;

/** The page loads a stylesheet and a script of its own, and nothing of the client. */
const whole = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · Offcut</title>
<link rel="stylesheet" href="/embed.css">
<script defer src="/embed.js"></script>
</head>
<body>
${body}
</body>
</html>
`;

const link = (path: string, html: string, attributes = ''): string =>
  `<a href="${escaped(path)}" target="_blank" rel="noopener"${attributes}>${html}</a>`;

const countOf = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

export const musicOf = ({ bpm, key }: Sample): string[] => [
  ...(bpm > 0 ? [`${bpm} BPM`] : []),
  ...(key ? [key] : []),
];

export function embedPage(embedded: Embedded, address: PublicAddress): string {
  const { kind, title, creator, path, artworkUrl, facts, credits, samples } = embedded;
  const isList = kind !== 'sample';
  const by = creator && link(paths.creator(creator.handle), escaped(creator.displayName));
  const about = [...(isList ? [countOf(samples.length, 'sample')] : []), ...facts].map(escaped);
  const price = `${countOf(credits, 'credit')}${isList ? ' for all' : ''}`;
  const picture = artworkUrl && address.media(narrowed(artworkUrl, COVER_PX));
  const cover = picture && `<img src="${escaped(picture)}" alt="" width="${COVER_PX}" height="${COVER_PX}">`;
  return whole(
    creator ? `${title} by ${creator.displayName}` : title,
    `<main class="${kind}">
${cover ? link(path, cover, ' class="cover" tabindex="-1" aria-hidden="true"') : ''}
<div class="about">
<h1>${link(path, escaped(title))}</h1>
<p>${[...(by ? [by] : []), ...about].join('<span aria-hidden="true"> · </span>')}</p>
</div>
${deckOf(samples, address)}
<p class="buy"><b>${price}</b> ${link(path, `${kind === 'workbench' ? 'Hear them together' : 'Get it'} on Offcut${MARK}`)}</p>
${isList ? listOf(samples, path, address) : ''}
<p role="status"></p>
</main>`,
  );
}

/** The player, which starts with the first sample that has a preview. */
function deckOf(samples: readonly Sample[], address: PublicAddress): string {
  const first = samples.find(({ previewUrl }) => previewUrl);
  if (!first) return '<p class="deck">There is no sound to hear.</p>';
  return `<div class="deck">
<button type="button" class="play"${soundOf(first, address)}>${PLAY_AND_PAUSE}</button>
<div class="wave">${WAVE}${WAVE}<input type="range" min="0" value="0" aria-label="Position"></div>
<span class="time" aria-hidden="true"></span>
</div>`;
}

const soundOf = (sample: Sample, address: PublicAddress): string => {
  const { title, previewUrl, waveform } = sample;
  const preview = address.media(previewUrl ?? '');
  return ` aria-label="Play ${escaped(title)}" data-preview="${escaped(preview)}" data-title="${escaped(title)}" data-seconds="${previewSeconds(sample)}" data-wave="${waveform.join(' ')}"`;
};

function listOf(samples: readonly Sample[], path: string, address: PublicAddress): string {
  const rows = samples.slice(0, LISTED_SAMPLES).map((sample) => {
    const { title, previewUrl, creditCost } = sample;
    const sound = previewUrl ? soundOf(sample, address) : ' disabled';
    return `<li><button type="button"${sound}>${PLAY_AND_PAUSE}<span>${escaped(title)}</span></button><span class="facts">${escaped(musicOf(sample).join(' · '))}</span><span>${countOf(creditCost, 'credit')}</span></li>`;
  });
  const rest = samples.length - rows.length;
  if (rest > 0) rows.push(`<li>${link(path, `${rest.toLocaleString('en')} more on Offcut`)}</li>`);
  return `<ol>\n${rows.join('\n')}\n</ol>`;
}

/** @param status 410 if a sample or pack was taken down, or if the link of a collection or workbench has ended */
export function absentPage(kind: string, status: 404 | 410): string {
  const isLink = kind === 'collection' || kind === 'workbench';
  const ended = isLink ? `The link to this ${kind} has ended.` : `This ${kind} was taken down.`;
  const text = status === 410 ? ended : 'This is not on Offcut, or no longer.';
  return whole(
    'Not available',
    `<main class="absent"><h1>${text}</h1><p class="buy">${link('/', `Offcut${MARK}`)}</p></main>`,
  );
}
