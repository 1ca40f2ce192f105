import { Bookmark } from 'lucide-react';
import { DownloadCell } from '../../downloads/download-cell.js';
import { type Saveable, savedItemOf, savingAction, useSaving } from '../../samples/saved.js';
import { IconButton } from '../../ui/button.js';
import { toast } from '../../ui/overlays/toast.js';
import type { Entry, Neighbours, Order } from './entries.js';
import { LibraryList, LibraryRow } from './library-list.js';

/**
 * Describes a row for `save`, which removes the row and, on "Undo", saves it again. Only samples in the catalogue can
 * be saved again.
 */
const saveableEntry = (entry: Entry): Saveable => ({
  id: entry.key,
  item: entry.sample ? savedItemOf(entry.sample) : { type: 'sample' },
  tell: {
    done: (saved) =>
      saved ||
      toast({
        title: 'Removed',
        description: 'Track removed from your library',
        tone: 'info',
        action: entry.sample ? savingAction('Undo', saveableEntry(entry), true) : undefined,
      }),
    failed: (saved) =>
      saved
        ? toast({
            title: 'The item was not restored. Try again.',
            tone: 'danger',
            action: savingAction('Try again', saveableEntry(entry), true),
          })
        : toast({ title: 'Failed to remove. Try again.', tone: 'danger' }),
  },
});

function SavedRow({ entry, neighbours }: { entry: Entry; neighbours: Neighbours }) {
  const { busy, save } = useSaving(entry.key);
  const { sample } = entry;
  return (
    <LibraryRow
      entry={entry}
      neighbours={neighbours}
      facts={
        <span className="col-[format] truncate text-sm leading-[1.3] text-muted @max-[560px]/library:hidden">
          {sample?.instruments.join(', ')}
        </span>
      }
      actions={
        <>
          {sample && <DownloadCell sample={sample} place="library" priceClass="flex" />}
          <IconButton
            label={`Remove ${entry.title}`}
            aria-pressed
            busy={busy}
            onClick={() => save({ thing: saveableEntry(entry), saved: false })}
          >
            <Bookmark size={18} />
          </IconButton>
        </>
      }
    />
  );
}

export function SavedTab(props: { entries: readonly Entry[]; text: string; order: Order }) {
  return (
    <LibraryList
      {...props}
      noun="saved item"
      row={(entry, neighbours) => <SavedRow key={entry.key} entry={entry} neighbours={neighbours} />}
    />
  );
}
