import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  arrayMove,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { useMemo, useState } from 'react';
import type { User } from '../../../../application/accounts/contract.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { VirtualRows } from '../../ui/virtual-rows.js';
import { EditRow, INSTRUMENTS_CLASS, RowCells } from './edit-row.js';
import { playable } from './own-sample.js';
import { reorder } from './pack-actions.js';

const HEADINGS = [
  ['Title', 'col-[title]'],
  ['Instruments', INSTRUMENTS_CLASS],
  ['Plays', 'edit-plays'],
  ['Downloads', 'edit-downloads'],
  ['Preview', 'col-[wave] @max-[760px]/editor:hidden'],
  ['Time', 'edit-time'],
  ['Key', 'col-[key]'],
  ['Tempo', 'col-[tempo]'],
  ['Extras', 'col-[extras] @max-[760px]/editor:hidden'],
  ['Cost', 'col-[cost]'],
] as const;

// These are constants, because new objects would render every row again. A press that moves less than 4 px does not
// drag.
const POINTER = { activationConstraint: { distance: 4 } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

/**
 * The samples in the pack's order, draggable. The dragged row, otherwise the focused row, stays in the document when
 * it leaves the viewport.
 */
export function EditList(props: {
  pack: OwnPack;
  user: User;
  selectedId: string | null;
  onEdit: (sampleId: string) => void;
}) {
  const { pack, user, selectedId, onEdit } = props;
  const [draggedId, setDraggedId] = useState<string | null>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYBOARD));
  const sounds = useMemo(() => pack.samples.map((sample) => playable(sample, pack, user)), [pack, user]);
  const ids = useMemo(() => pack.samples.map(({ id }) => id), [pack.samples]);
  const nameOf = (id: unknown) => pack.samples.find((sample) => sample.id === id)?.name ?? 'the sample';
  const placeOf = (id: unknown) => `${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  const drop = ({ active, over }: DragEndEvent) => {
    setDraggedId(null);
    if (!over || active.id === over.id) return;
    void reorder(pack, arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  const cells = (index: number) => {
    const [sample, sound] = [pack.samples[index], sounds[index]];
    return sample && sound && { sample, sound, queue: sounds, number: index + 1, onEdit };
  };
  const dragged = cells(ids.indexOf(draggedId ?? ''));
  return (
    <div className="mt-2 @container/editor">
      <div className="edit-row h-9 text-sm text-muted @max-[560px]/editor:hidden" aria-hidden="true">
        {HEADINGS.map(([title, className]) => (
          <span key={title} className={className}>
            {title}
          </span>
        ))}
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{
          screenReaderInstructions: {
            draggable:
              'Press space to pick the sample up, the arrow keys to move it, space to drop it, Escape to cancel.',
          },
          announcements: {
            onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}.`,
            onDragOver: ({ active, over }) =>
              over ? `${nameOf(active.id)} is at ${placeOf(over.id)}.` : undefined,
            onDragEnd: ({ active, over }) =>
              over ? `${nameOf(active.id)} was dropped at ${placeOf(over.id)}.` : undefined,
            onDragCancel: ({ active }) => `${nameOf(active.id)} is back in its place.`,
          },
        }}
        onDragStart={({ active }) => setDraggedId(String(active.id))}
        onDragEnd={drop}
        onDragCancel={() => setDraggedId(null)}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <div
            role="list"
            aria-label="Samples"
            className="edit-list"
            onFocus={({ target }) =>
              setFocusedId(target.closest<HTMLElement>('[data-sample]')?.dataset.sample ?? null)
            }
          >
            <VirtualRows
              count={ids.length}
              keep={ids.indexOf(draggedId ?? focusedId ?? '')}
              keyOf={(index) => ids[index]}
            >
              {(index) => {
                const row = cells(index);
                return row && <EditRow {...row} count={ids.length} selected={row.sample.id === selectedId} />;
              }}
            </VirtualRows>
          </div>
        </SortableContext>
        <DragOverlay dropAnimation={null}>
          {dragged && (
            <div className="edit-row group" data-lifted>
              <RowCells {...dragged} />
            </div>
          )}
        </DragOverlay>
      </DndContext>
    </div>
  );
}
