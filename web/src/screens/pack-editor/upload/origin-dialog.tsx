import { useState } from 'react';
import type { Origin } from '../../../../../application/catalogue/values.js';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { Button } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { OriginSelect } from '../origin-select.js';
import { addUploads } from './uploads.js';

/**
 * Asks how the files were made before they are added to a pack that is on sale or has a release date, because every
 * sound of such a pack needs an origin.
 */
export default function OriginDialog(props: { pack: OwnPack; files: readonly File[]; onClose: () => void }) {
  const { pack, files, onClose } = props;
  const [origin, setOrigin] = useState<Origin | ''>('');
  const [isAsked, setAsked] = useState(false);
  const add = () => {
    if (origin === '') return setAsked(true);
    void addUploads(pack, files, { origin });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Add ${countOf(files.length, 'sound')}`}
      width={440}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={add}>
            Add to Pack
          </Button>
        </>
      }
    >
      <OriginSelect
        label="Origin"
        hint={
          pack.status === 'published'
            ? 'The pack is on sale, so listeners see what you add at once.'
            : 'The pack has a date, so each sound needs an origin.'
        }
        value={origin}
        isAsked={isAsked}
        onChange={setOrigin}
      />
    </Dialog>
  );
}
