import { Search } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { IconButton } from '../ui/button.js';
import { useSlashKey } from '../ui/forms/slash-key.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { PersonField } from './person-field.js';

const Dialog = lazyWithPreload(() =>
  import('../ui/overlays/dialog.js').then((module) => ({ default: module.Dialog })),
);

/** The search of the administration: a field where there is room for it, else a button that opens it as a sheet. */
export function FindPerson() {
  const wide = useMedia('(width >= 1280px)');
  const [asked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => (wide ? field.current?.focus() : setAsked(true)));
  if (wide) return <PersonField ref={field} className="w-59" />;
  return (
    <>
      <IconButton label="Find a person" onClick={() => setAsked(true)}>
        <Search size={20} strokeWidth={1.75} />
      </IconButton>
      {asked && (
        <Suspense>
          <Dialog open onClose={() => setAsked(false)} title="Find a person" shape="sheet">
            <PersonField inSheet onDone={() => setAsked(false)} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
