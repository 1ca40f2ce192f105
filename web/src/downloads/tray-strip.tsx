import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../ui/button.js';
import { isUnderWay, markSeen, useTray } from './tray.js';
import { TrayAction, TrayIcon, TrayTape, TrayWords } from './tray-entry.js';

const SHOWN_MS = 6_000;

const focusPage = () => document.getElementById('content')?.focus({ preventScroll: true });

/** The newest failed download, or else the newest one. The strip hides finished downloads after a while. */
export default function TrayStrip() {
  const unseen = useTray().filter(({ isSeen }) => !isSeen);
  const shown = unseen.find(({ state }) => state === 'failed') ?? unseen[0];
  const [held, setHeld] = useState(false);
  const { id, state } = shown ?? {};
  const stays = !shown || held || isUnderWay(shown) || state === 'failed' || state === 'ready';
  useEffect(() => {
    if (stays || id === undefined) return;
    const timer = setTimeout(() => markSeen(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, id, state]);
  return (
    <div
      role={state === 'failed' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown && (
        <div key={shown.id} className="fade-in bg-raised shadow-[inset_0_1px_var(--strong)]">
          <TrayTape entry={shown} />
          <div className="gutter flex min-h-14 items-center gap-3 py-1.5">
            <TrayIcon state={shown.state} />
            <TrayWords entry={shown} />
            <TrayAction entry={shown} leave={focusPage} />
            <IconButton
              label="Hide this download"
              onClick={() => {
                focusPage();
                markSeen(shown.id);
              }}
            >
              <X size={16} />
            </IconButton>
          </div>
        </div>
      )}
    </div>
  );
}
