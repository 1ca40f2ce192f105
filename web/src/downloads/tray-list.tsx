import { useRef } from 'react';
import { Button } from '../ui/button.js';
import { dropFinished, useTray } from './tray.js';
import { TrayAction, TrayIcon, TrayTape, TrayWords } from './tray-entry.js';

/** Every download of this visit. */
export default function TrayList() {
  const entries = useTray();
  const heading = useRef<HTMLHeadingElement>(null);
  const hasFinished = entries.some(({ state }) => state === 'saved' || state === 'handed');
  return (
    <>
      <div className="flex min-h-12 items-center gap-3 border-b border-line px-4">
        <h2 ref={heading} tabIndex={-1} className="flex-1 font-semibold outline-none">
          Downloads of this visit
        </h2>
        <Button size="small" tone="quiet" disabled={!hasFinished} onClick={dropFinished}>
          Clear finished
        </Button>
      </div>
      {entries.length === 0 && <p className="px-4 py-6 text-muted">Nothing is being downloaded.</p>}
      <ul className="m-0 max-h-[60dvh] list-none overflow-y-auto p-0">
        {entries.map((entry) => (
          <li key={entry.id} className="border-b border-line last:border-b-0">
            <div className="flex items-start gap-3 px-4 py-3">
              <span className="mt-0.5 flex-none">
                <TrayIcon state={entry.state} />
              </span>
              <TrayWords entry={entry} />
              <TrayAction entry={entry} leave={() => heading.current?.focus()} />
            </div>
            <TrayTape entry={entry} />
          </li>
        ))}
      </ul>
    </>
  );
}
