import { AudioLines } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../paths.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { IconButton } from '../ui/button.js';
import { useFileDrop } from '../ui/forms/use-file-drop.js';
import { findByFile } from './own-sound.js';

const FindBySoundDialog = lazyWithPreload(() => import('./find-by-sound-dialog.js'));

/** Returns a function that searches by a sound. On the search page, the page's text and filters stay. */
function useFindBySound() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (sound: Blob, name: string) => {
    void findByFile(sound, name);
    if (pathname !== paths.search()) void navigate(paths.search());
  };
}

/** Lets a visitor drop a sound file on the search field, to search by it. */
export function useSoundDrop() {
  const find = useFindBySound();
  return useFileDrop((file) => find(file, file.name));
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
