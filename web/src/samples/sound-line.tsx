import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { paths } from '../paths.js';
import { PlayButton } from '../player/play-button.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';

/** A sample in the list of a dialog, with reasons for it. */
export function SoundLine(props: {
  sample: Sample;
  queue: readonly Sample[];
  reasons?: readonly string[];
  before?: ReactNode;
  after?: ReactNode;
}) {
  const { sample, queue, reasons = [], before, after } = props;
  return (
    <li className="flex min-h-15 items-center gap-3 border-b border-line py-2">
      {before}
      <PlayButton sound={sample} queue={queue} className="icon-btn" />
      <Cover {...coverOf(sample)} size="small" className="w-10 flex-none" />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <Link to={paths.sample(sample.id)} className="font-semibold no-underline hover:underline">
            {sample.title}
          </Link>{' '}
          <span className="text-muted">by {sample.creator.displayName}</span>
        </p>
        {reasons.length > 0 && (
          <ul aria-label="Why" className="flex flex-wrap gap-x-2.5 text-sm text-muted">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
      <span className="grid flex-none justify-items-end text-sm">
        <KeyLabel musicalKey={sample.key} />
        <TempoLabel bpm={sample.bpm} />
      </span>
      {after}
    </li>
  );
}
