import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { usePopup } from '../ui/overlays/popup.js';
import { useAudition } from './audition.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

const AuditionSettings = lazyWithPreload(() => import('./audition-settings.js'));
const AuditionSheet = lazyWithPreload(() => import('./audition-sheet.js'));

/** A button that opens the audition panel above the player, or as a sheet in narrow windows. */
export function AuditionButton({ track }: { track: Sample }) {
  const [open, setOpen] = useState(false);
  const { playsOn } = useAudition();
  const panelId = useId();
  const inSheet = useMedia('(width < 1024px)');
  const close = () => setOpen(false);
  const { box, leave, onKeyDown } = usePopup(open && !inSheet, close);
  return (
    <div ref={box} className="relative" onKeyDown={onKeyDown}>
      <IconButton
        label="Audition: play on, tempo and key"
        aria-expanded={open}
        aria-haspopup={inSheet ? 'dialog' : undefined}
        aria-controls={open && !inSheet ? panelId : undefined}
        className={clsx('max-lg:size-11', playsOn && 'text-accent-text!')}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal size={18} />
      </IconButton>
      <Suspense>
        {open && inSheet && <AuditionSheet track={track} onClose={close} />}
        {open && !inSheet && (
          <div
            id={panelId}
            role="group"
            aria-label="Audition"
            className="popover absolute -right-2 bottom-[calc(100%+28px+var(--news,0px))] grid w-90 gap-3 px-5 pt-4 pb-5"
          >
            <AuditionSettings track={track} onClose={close} onProject={leave} />
          </div>
        )}
      </Suspense>
    </div>
  );
}
