import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { paths } from '../paths.js';
import { PlayButton } from '../player/play-button.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { LoadingText, QueryFailure, Skeleton } from '../ui/states.js';

/** A sample in the list of a dialog, with the reasons why it is in the list. */
function SoundLine(props: {
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

type Found = Sample & { reasons?: readonly string[] };

/** The samples of an answer, as a list in a dialog. @param props.empty shown if the answer has no samples */
export function SoundLines(props: {
  answer: ComponentProps<typeof QueryFailure>['of'] & { data: { items: readonly Found[] } | undefined };
  empty: ReactNode;
  before?: (sample: Sample, all: readonly Sample[]) => ReactNode;
  after?: (sample: Sample) => ReactNode;
}) {
  const { answer, empty, before, after } = props;
  const { data, error } = answer;
  const items = data?.items ?? [];
  return (
    <>
      {!data && !error && (
        <>
          <LoadingText>Loading sounds...</LoadingText>
          {Array.from({ length: 5 }, (_, at) => (
            <div key={at} className="flex min-h-15 items-center gap-3" aria-hidden="true">
              <Skeleton className="ml-12 size-10" />
              <Skeleton className="h-4 w-1/2" />
            </div>
          ))}
        </>
      )}
      <QueryFailure of={answer} title="The sounds could not be loaded" />
      {data && items.length === 0 && empty}
      <ul className="list-none p-0">
        {items.map((sample) => (
          <SoundLine
            key={sample.id}
            sample={sample}
            queue={items}
            reasons={sample.reasons}
            before={before?.(sample, items)}
            after={after?.(sample)}
          />
        ))}
      </ul>
    </>
  );
}
