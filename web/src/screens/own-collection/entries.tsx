import './own-collection.css';
import { GripVertical, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { OwnCollection } from '../../../../application/library/collections/contract.js';
import { SampleList, type SampleListProps } from '../../samples/sample-list.js';
import { Avatar } from '../../ui/avatar.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { move, remove } from './change-collection.js';

/** While a dragged row is this near the edge of the window, the page scrolls. */
const EDGE_PX = 72;
const SCROLL_PX = 14;

interface Drag {
  id: string;
  /** The id of the row under the pointer. `below` says whether the pointer is in the lower half of this row. */
  over: string;
  below: boolean;
}

const rowAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-entry]') ?? undefined;

/**
 * Drags rows by their grips. Finds the target row under the pointer, because rows far from the viewport do not exist
 * in the document.
 */
function useDrag(onDrop: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  const id = drag?.id;
  useEffect(() => {
    if (id === undefined) return;
    let at = { x: 0, y: -1 };
    let now: Drag = { id, over: id, below: false };
    const look = () => {
      const row = rowAt(at.x, at.y);
      if (!row?.dataset.entry) return;
      const { top, height } = row.getBoundingClientRect();
      now = { id, over: row.dataset.entry, below: at.y > top + height / 2 };
      setDrag(now);
    };
    const moveTo = (event: globalThis.PointerEvent) => {
      at = { x: event.clientX, y: event.clientY };
      look();
    };
    const end = () => {
      setDrag(null);
      drop.current(now);
    };
    const cancel = (event: Event) => {
      if (event instanceof globalThis.KeyboardEvent && event.key !== 'Escape') return;
      setDrag(null);
    };
    let frame = requestAnimationFrame(function scroll() {
      frame = requestAnimationFrame(scroll);
      const step = at.y < 0 ? 0 : at.y < EDGE_PX ? -1 : at.y > window.innerHeight - EDGE_PX ? 1 : 0;
      if (step === 0) return;
      window.scrollBy(0, step * SCROLL_PX);
      look();
    });
    window.addEventListener('pointermove', moveTo);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', cancel);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', moveTo);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', cancel);
    };
  }, [id]);
  const start = (event: PointerEvent, dragged: string) => {
    if (event.button !== 0) return;
    event.currentTarget.releasePointerCapture?.(event.pointerId);
    setDrag({ id: dragged, over: dragged, below: false });
  };
  return { drag, start };
}

/** Who added the sample, unless it was the viewer. */
function AddedBy({ entry, userId }: { entry: OwnCollection['entries'][number]; userId: string }) {
  if (entry.addedBy?.id === userId) return <span className="w-6 flex-none max-sm:hidden" />;
  const name = entry.addedBy?.displayName ?? 'a former member';
  return (
    <span className="w-6 flex-none max-sm:hidden" title={`Added by ${name}`}>
      <Avatar name={name} size={24} />
      <span className="sr-only">Added by {name}</span>
    </span>
  );
}

/** Lists the entries whose samples are no longer on sale. */
function Unavailable({
  collection,
  mayRemove,
}: {
  collection: OwnCollection;
  mayRemove: (id: string) => boolean;
}) {
  const gone = collection.entries.filter(({ sample }) => !sample);
  if (gone.length === 0) return null;
  return (
    <section aria-label="No longer on sale" className="pt-8">
      <h2 className="font-semibold">No longer on sale</h2>
      <p className="text-sm text-muted">{countOf(gone.length, 'sample')} that left the catalogue</p>
      <ul className="m-0 list-none p-0 pt-2">
        {gone.map(({ sampleId, title }) => (
          <li key={sampleId} className="flex min-h-12 items-center gap-3 border-b border-line">
            <span className="min-w-0 flex-1 truncate text-muted">{title}</span>
            {mayRemove(sampleId) && (
              <IconButton
                label="Remove from the collection"
                about={title}
                onClick={() => void remove(collection, sampleId)}
              >
                <X size={16} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The samples in their order. The owner moves them by their grips, or with Alt and an arrow key. */
export function Entries({ collection, userId }: { collection: OwnCollection; userId: string }) {
  const { id, role, entries } = collection;
  const [said, setSaid] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef<string>(undefined);
  const samples = useMemo(() => entries.flatMap(({ sample }) => sample ?? []), [entries]);
  const entryOf = (sampleId: string) => entries.find((entry) => entry.sampleId === sampleId);
  const isOwner = role === 'owner';
  const helped = collection.collaborator !== null || entries.some(({ addedBy }) => addedBy?.id !== userId);
  const mayRemove = (sampleId: string) => isOwner || entryOf(sampleId)?.addedBy?.id === userId;

  /** Moves a sample. @param at its new index among the samples on sale */
  const moveTo = (sampleId: string, at: number) => {
    const others = samples.filter((each) => each.id !== sampleId);
    const title = entryOf(sampleId)?.title ?? '';
    setSaid(`${title} is at ${at + 1} of ${samples.length}.`);
    void move(id, sampleId, others[at - 1]?.id ?? null);
  };
  const { drag, start } = useDrag(({ id: dragged, over, below }) => {
    if (dragged === over) return;
    const others = samples.filter((each) => each.id !== dragged);
    moveTo(dragged, others.findIndex((each) => each.id === over) + (below ? 1 : 0));
  });
  const step = (event: KeyboardEvent, sampleId: string) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const at = samples.findIndex((each) => each.id === sampleId) + by;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (at < 0 || at >= samples.length) return;
    const onGrip = (event.target as Element).closest('[data-grip]');
    focused.current = `[data-entry="${CSS.escape(sampleId)}"] ${onGrip ? '[data-grip]' : '[data-sample]'}`;
    moveTo(sampleId, at);
  };
  useLayoutEffect(() => {
    // Restores the focus, which a row loses when it moves in the document.
    if (focused.current) box.current?.querySelector<HTMLElement>(focused.current)?.focus();
    focused.current = undefined;
  }, [entries]);

  const around: SampleListProps['around'] = (sample, row, { tabIndex, number }) => {
    const entry = entryOf(sample.id);
    const over = drag && drag.over === sample.id && drag.id !== sample.id;
    return (
      <div
        role="listitem"
        aria-posinset={number}
        aria-setsize={samples.length}
        className="own-row relative flex items-center gap-0.5 border-b border-line data-dragged:opacity-45"
        data-entry={sample.id}
        data-dragged={drag?.id === sample.id ? '' : undefined}
        data-drop={over ? (drag.below ? 'below' : 'above') : undefined}
        onKeyDown={(event) => isOwner && event.altKey && step(event, sample.id)}
      >
        {isOwner && (
          <IconButton
            data-grip
            label="Move: drag, or press an arrow key"
            about={sample.title}
            tabIndex={tabIndex}
            className="w-7 cursor-grab touch-none text-faint hover:text-text"
            onPointerDown={(event) => start(event, sample.id)}
            onKeyDown={(event) => step(event, sample.id)}
          >
            <GripVertical size={16} />
          </IconButton>
        )}
        <div className="own-sample">{row}</div>
        {helped && entry && <AddedBy entry={entry} userId={userId} />}
        {mayRemove(sample.id) ? (
          <IconButton
            label="Remove from the collection"
            about={sample.title}
            tabIndex={tabIndex}
            className="flex-none text-faint"
            onClick={() => void remove(collection, sample.id)}
          >
            <X size={16} />
          </IconButton>
        ) : (
          <span className="w-9 flex-none" />
        )}
      </div>
    );
  };
  return (
    <div ref={box}>
      {samples.length > 0 && (
        <SampleList samples={samples} place="list" label={`Samples of ${collection.name}`} around={around} />
      )}
      <Unavailable collection={collection} mayRemove={mayRemove} />
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
