import { Bookmark } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import type { SavePlace } from '../session/after-sign-in.js';
import { useSaveToggle } from './saved.js';

export function SaveButton(props: { sample: Sample; place: SavePlace; tabIndex?: number }) {
  const { sample, place, tabIndex } = props;
  const { saved, busy, toggle } = useSaveToggle(sample, place);
  return (
    <IconButton
      label={saved ? 'Saved' : 'Save to library'}
      about={sample.title}
      aria-pressed={saved}
      busy={busy}
      tabIndex={tabIndex}
      onClick={toggle}
      data-action="save"
      className="row-icon"
    >
      <Bookmark size={18} />
    </IconButton>
  );
}
