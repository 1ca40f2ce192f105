import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { useBackCloses } from '../ui/overlays/back.js';
import { useAudition } from './audition.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

const AuditionPanel = lazyWithPreload(() => import('./audition-panel.js'));
const AuditionSheet = lazyWithPreload(() => import('./audition-sheet.js'));

/** Opens the audition panel above the player, or a sheet if the window is too small. */
export function AuditionButton({ track }: { track: Sample }) {
  const [open, setOpen] = useState(false);
  const { playsOn, matchesTempo } = useAudition();
  const box = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const inSheet = useMedia('(width < 1024px)');
  const close = () => setOpen(false);
  useBackCloses(open && !inSheet, close);
  useEffect(() => {
    if (!open || inSheet) return;
    const press = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [open, inSheet]);
  return (
    <div
      ref={box}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open || inSheet) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector('button')?.focus();
      }}
    >
      <IconButton
        label="Audition: play on, tempo and key"
        aria-expanded={open}
        aria-haspopup={inSheet ? 'dialog' : undefined}
        aria-controls={open && !inSheet ? panelId : undefined}
        className={clsx('max-lg:size-11', (playsOn || matchesTempo) && 'text-accent-text!')}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal size={18} />
      </IconButton>
      <Suspense>
        {open && inSheet && <AuditionSheet track={track} onClose={close} />}
        {open && !inSheet && <AuditionPanel track={track} id={panelId} onClose={close} />}
      </Suspense>
    </div>
  );
}
