import { Link } from 'react-router-dom';
import type { SimilarSamples } from '../../../application/catalogue/contract.js';
import type { SoundFacts } from '../../../application/catalogue/values.js';
import { DownloadCell } from '../downloads/download-cell.js';
import { packPathOf, paths } from '../paths.js';
import { PlayButton } from '../player/play-button.js';
import { usePlayback, isSounding } from '../player/player.js';
import { SeekableWaveform } from '../player/seekable-waveform.js';
import { SaveButton } from '../samples/save-button.js';
import { useLengthMs } from '../samples/sample-row.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { formatDuration } from '../ui/format.js';
import { matchOf } from './balance.js';
import { SoundDifferences } from './sound-differences.js';

export type NearSample = SimilarSamples['items'][number];

/** Returns reasons as one text, such as "Brighter, same decay". */
export const reasonText = (reasons: readonly string[]): string =>
  reasons.map((reason, at) => (at === 0 ? reason : reason.toLowerCase())).join(', ');

/** A sound of the catalogue, how it differs from the visitor's sound, and how well it matches. */
export function NearestRow(props: { sample: NearSample; queue: readonly NearSample[]; own: SoundFacts }) {
  const { sample, queue, own } = props;
  const playback = usePlayback(sample.id);
  const lengthMs = useLengthMs(sample);
  return (
    <li
      className="nearest-row"
      data-sample={sample.id}
      aria-current={isSounding(playback) ? 'true' : undefined}
    >
      <PlayButton sound={sample} queue={queue} className="play-button" />
      <Link to={packPathOf(sample)} aria-label={`Open pack ${sample.pack.title}`} tabIndex={-1}>
        <Cover {...coverOf(sample)} size="small" className="w-10" />
      </Link>
      <div className="min-w-0 leading-tight">
        <p className="truncate text-md font-semibold">
          <Link to={packPathOf(sample)} className="no-underline hover:underline">
            {sample.title}
          </Link>
        </p>
        <p className="truncate text-sm text-muted">
          <Link to={paths.creator(sample.creator.handle)} className="no-underline hover:underline">
            {sample.creator.displayName}
          </Link>
        </p>
      </div>
      <SeekableWaveform sound={sample} queue={queue} className="nearest-wave" />
      <span className="nearest-time narrow text-muted">{formatDuration(lengthMs)}</span>
      <span className="nearest-bars">
        {sample.sound && <SoundDifferences from={own} to={sample.sound} />}
      </span>
      <p className="nearest-reasons text-sm">{reasonText(sample.reasons)}</p>
      <p className="nearest-match text-sm">
        <span className="sr-only">Match </span>
        <strong className="text-md">{matchOf(sample.distance ?? 0)}</strong> %
      </p>
      <DownloadCell sample={sample} place="list" priceClass="nearest-cost" buttonClass="row-icon" />
      <SaveButton sample={sample} place="list" />
    </li>
  );
}
