import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical, MoreHorizontal } from 'lucide-react';
import { type HTMLAttributes, memo, useMemo } from 'react';
import type { Sample } from '../../../../application/catalogue/contract.js';
import type { OwnSample } from '../../../../application/publishing/contract.js';
import { SaveButton } from '../../samples/save-button.js';
import { PlayButton } from '../../player/play-button.js';
import { useProgress } from '../../player/player.js';
import { Badge, Sticker, Tag } from '../../ui/badge.js';
import { IconButton } from '../../ui/button.js';
import { countOf, formatDuration } from '../../ui/format.js';
import { KeyLabel, TempoLabel } from '../../ui/sound/key-tempo.js';
import { Waveform } from '../../ui/sound/waveform.js';

const STATUSES = { held: 'Held', refused: 'Refused', taken_down: 'Taken down' } as const;

/**
 * Shows the instruments at the end of the title column, if the column is wide enough for the title and the
 * instruments.
 */
export const INSTRUMENTS_CLASS =
  'pointer-events-none col-[title] w-64 justify-self-end truncate pr-4 edit-instruments @max-[1100px]/editor:hidden';

interface RowProps {
  sample: OwnSample;
  sound: Sample;
  queue: readonly Sample[];
  number: number;
  onEdit: (sampleId: string) => void;
}

/** The cells of a row. `memo` keeps them from rendering at each step of a drag, at which every row renders. */
export const RowCells = memo(function RowCells(
  props: RowProps & { handle?: HTMLAttributes<HTMLButtonElement> },
) {
  const { sample, sound, queue, number, onEdit, handle } = props;
  const progress = useProgress(sample.id);
  const edit = () => onEdit(sample.id);
  return (
    <>
      <button
        type="button"
        className="touchable col-[grip] grid h-10 w-8 cursor-grab touch-none place-content-center text-muted group-data-lifted:text-accent-text hover:text-text @max-[560px]/editor:h-11"
        aria-label={`Move ${sample.name}`}
        {...handle}
      >
        <GripVertical size={16} />
      </button>
      <span className="display col-[number] justify-self-center text-lg text-faint group-data-lifted:text-accent-text @max-[560px]/editor:hidden">
        {number}
      </span>
      <PlayButton
        sound={sound}
        queue={queue}
        className="play-button col-[play] @max-[560px]/editor:size-11"
      />
      <button
        type="button"
        className="edit-open col-[title] min-h-11 truncate pr-3 text-left text-md font-semibold -outline-offset-2"
        onClick={edit}
      >
        {sample.name}
        {sample.status !== 'free' && (
          <>
            {' '}
            <Badge tone={sample.status === 'held' ? 'warn' : 'danger'}>{STATUSES[sample.status]}</Badge>
          </>
        )}
      </button>
      <span className={`${INSTRUMENTS_CLASS} text-muted`}>{sample.instruments.join(', ')}</span>
      <span className="edit-plays text-muted">
        {sample.plays.toLocaleString('en')}
        <span className="sr-only"> plays</span>
      </span>
      <span className="edit-downloads text-muted">
        {sample.downloads.toLocaleString('en')}
        <span className="sr-only"> downloads</span>
      </span>
      <Waveform
        peaks={sample.waveform}
        progress={progress}
        fill={0.66}
        className="col-[wave] h-6 w-37.25 cursor-default @max-[760px]/editor:hidden"
      />
      <span className="edit-time narrow">{formatDuration(sample.durationMs)}</span>
      <span className="col-[key] @max-[560px]/editor:hidden">
        <KeyLabel musicalKey={sample.key} />
      </span>
      <span className="col-[tempo] @max-[560px]/editor:hidden">
        <TempoLabel bpm={sample.bpm} />
      </span>
      <span className="col-[extras] flex gap-1.25 @max-[760px]/editor:hidden">
        {sample.hasStems && <Tag>STEMS</Tag>}
        {sample.hasMidi && <Tag>MIDI</Tag>}
      </span>
      <span className="col-[cost]">
        <Sticker label={countOf(sample.creditCost, 'credit')}>{sample.creditCost}</Sticker>
      </span>
      <span className="col-[save] justify-self-end">
        <SaveButton sample={sound} place="editor" />
      </span>
      <IconButton
        label={`Edit ${sample.name}`}
        className="col-[more] justify-self-end @max-[560px]/editor:h-11"
        data-edit={sample.id}
        onClick={edit}
      >
        <MoreHorizontal size={18} />
      </IconButton>
    </>
  );
});

/** One sample of the pack, draggable by its grip with pointer and keyboard. */
export const EditRow = memo(function EditRow(props: RowProps & { count: number; selected: boolean }) {
  const { count, selected, ...cells } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: cells.sample.id,
    });
  const handle = useMemo(
    () => ({ ...attributes, ...listeners, ref: setActivatorNodeRef }) as HTMLAttributes<HTMLButtonElement>,
    [attributes, listeners, setActivatorNodeRef],
  );
  return (
    <div
      ref={setNodeRef}
      role="listitem"
      aria-setsize={count}
      aria-posinset={cells.number}
      data-sample={cells.sample.id}
      className="edit-row group"
      data-selected={selected ? '' : undefined}
      data-dragging={isDragging ? '' : undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <RowCells {...cells} handle={handle} />
    </div>
  );
});
