import { AudioLines, X } from 'lucide-react';
import { forgetOwnSound, type OwnSound } from './own-sound.js';

/** The visitor's own sound in the search field, with a button that removes it. */
export default function OwnSoundChip({ sound }: { sound: OwnSound }) {
  return (
    <span className="own-sound absolute top-1.75 left-9.5 flex h-7 max-w-36 items-center gap-1.5 pl-2 cut-corner-8">
      <AudioLines size={14} className="flex-none" />
      <span className="truncate text-sm font-semibold">{sound.name}</span>
      <button
        type="button"
        aria-label={`Stop searching by ${sound.name}`}
        className="grid size-7 flex-none place-items-center"
        onClick={forgetOwnSound}
      >
        <X size={14} />
      </button>
    </span>
  );
}
