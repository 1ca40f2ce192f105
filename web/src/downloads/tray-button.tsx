import { clsx } from 'clsx';
import { ArrowDownToLine } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { countOf } from '../ui/format.js';
import { usePopup } from '../ui/overlays/popup.js';
import { isUnderWay, useTray } from './tray.js';

const TrayList = lazyWithPreload(() => import('./tray-list.js'));

/** The button that opens the list of this visit's downloads. It shows how many failed or are in progress. */
export default function TrayButton() {
  const entries = useTray();
  const [open, setOpen] = useState(false);
  const panelId = useId();
  const { box, onKeyDown } = usePopup(open, () => setOpen(false));
  const failed = entries.filter(({ state }) => state === 'failed').length;
  const underWay = entries.filter(isUnderWay).length;
  const state = [
    ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
    ...(underWay > 0 ? [`${underWay.toLocaleString('en')} under way`] : []),
  ];
  const count = failed || underWay;
  return (
    <div ref={box} className="relative flex items-center" onKeyDown={onKeyDown}>
      <button
        type="button"
        className="icon-btn relative size-11!"
        aria-label={['Downloads', ...(state.length > 0 ? state : [countOf(entries.length, 'file')])].join(
          ', ',
        )}
        title="Downloads"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
      >
        <ArrowDownToLine size={19} />
        {count > 0 && (
          <span
            aria-hidden="true"
            className={clsx(
              'badge absolute top-0.5 right-0 min-w-4 justify-center px-1 text-2xs',
              failed > 0 ? 'bg-danger-wash text-danger' : 'bg-accent text-on-accent',
            )}
          >
            {count}
          </span>
        )}
      </button>
      {open && (
        <div
          id={panelId}
          role="group"
          aria-label="Downloads"
          className="popover absolute top-full right-0 z-50 w-100 max-sm:fixed max-sm:inset-x-2 max-sm:top-(--header) max-sm:w-auto"
        >
          <Suspense>
            <TrayList />
          </Suspense>
        </div>
      )}
    </div>
  );
}
