import { SEEK_STEP_SECONDS } from '../player/player-store.js';
import { Dialog } from '../ui/overlays/dialog.js';

const SHORTCUTS = [
  ['Space', 'Play or pause'],
  ['↑ ↓', 'Move in the list and hear the next sound'],
  ['← →', `Seek ${SEEK_STEP_SECONDS} seconds back or forward`],
  ['S', 'Save the sound in focus or in the player'],
  ['D', 'Download it'],
  ['P', 'Pick the sound in focus, to download several at once'],
  ['⇧ ↑ ↓', 'Move in the list and pick'],
  ['⇧ D', 'Download what is picked'],
  ['M', 'More sounds like it'],
  ['X', 'Hear the original instead of my tempo and key; hold it to compare'],
  ['C', 'Add it to a collection'],
  ['W', 'Try it in the workbench'],
  ['A', 'Audition mode: play on at the end'],
  ['T', 'Tap the tempo, while “My project” is open'],
  ['/', 'Search'],
  ['⌘K', 'Open the commands; Ctrl K on other systems'],
  ['?', 'This list'],
] as const;

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[84px_1fr] items-center gap-y-3">
        {SHORTCUTS.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="border border-strong px-2 py-1 font-sans text-sm font-semibold">{key}</kbd>
            </dt>
            <dd className="m-0 text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
