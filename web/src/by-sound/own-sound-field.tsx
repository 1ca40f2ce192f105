import { AudioLines, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../paths.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { IconButton } from '../ui/button.js';
import { useFileDrop } from '../ui/forms/use-file-drop.js';
import { findByFile, forgetOwnSound, useOwnSound } from './own-sound.js';

const FindBySoundDialog = lazyWithPreload(() => import('./find-by-sound-dialog.js'));

/** Searches by a sound, with the text and filters of the page if it is the search page. */
function useFindBySound() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (sound: Blob, name: string) => {
    void findByFile(sound, name);
    if (pathname !== paths.search()) void navigate(paths.search());
  };
}

/** Makes the search field take a dropped file. */
export function useSoundDrop() {
  const find = useFindBySound();
  return useFileDrop((file) => find(file, file.name));
}

/** The visitor's own sound in the search field, with a button that removes it. */
export function OwnSoundChip() {
  const sound = useOwnSound();
  if (!sound) return null;
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

export function FindBySoundButton() {
  const find = useFindBySound();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Find by a sound"
        className="absolute top-0.5 right-0.5 text-muted"
        onClick={() => setOpen(true)}
      >
        <AudioLines size={17} />
      </IconButton>
      {open && (
        <Suspense>
          <FindBySoundDialog onSound={find} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
