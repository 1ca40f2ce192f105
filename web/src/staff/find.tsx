import { Search } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import type { StaffArea } from '../shell/staff-area.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { IconButton } from '../ui/button.js';
import { useSlashKey } from '../ui/forms/slash-key.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { BooksField } from './books-field.js';
import { PersonField } from './person-field.js';

const Dialog = lazyWithPreload(() =>
  import('../ui/overlays/dialog.js').then((module) => module && { default: module.Dialog }),
);

const FIELDS = {
  admin: { label: 'Find a person', Field: PersonField, wide: 'w-59' },
  finance: { label: 'Find in the books', Field: BooksField, wide: 'w-72' },
} as const;

/** The search of a staff area: a field if there is room, otherwise a button that opens it as a sheet. */
export function Find({ area }: { area: StaffArea }) {
  const { label, Field, wide: width } = FIELDS[area];
  const wide = useMedia('(width >= 1280px)');
  const [asked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => (wide ? field.current?.focus() : setAsked(true)));
  if (wide) return <Field ref={field} className={width} />;
  return (
    <>
      <IconButton label={label} onClick={() => setAsked(true)}>
        <Search size={20} />
      </IconButton>
      {asked && (
        <Suspense>
          <Dialog open onClose={() => setAsked(false)} title={label} shape="sheet">
            <Field inSheet onDone={() => setAsked(false)} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
