import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { CollectButton } from '../collections/collect-button.js';
import { packPathOf, paths } from '../paths.js';
import { SaveButton } from '../samples/save-button.js';
import { TryButton } from '../workbench/try-button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import AuditionSettings from './audition-settings.js';
import { DownloadButton } from './download-button.js';
import { Heard } from './heard.js';
import { Origin, Seek, Transport } from './transport.js';

export default function AuditionSheet({ track, onClose }: { track: Sample; onClose: () => void }) {
  return (
    <Dialog
      open
      shape="sheet"
      title={track.title}
      description={<Origin track={track} onFollow={onClose} />}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <div className="flex items-end gap-4">
          <Link
            to={packPathOf(track)}
            className="w-27 flex-none"
            aria-label={`Open pack ${track.pack.title}`}
            onClick={onClose}
          >
            <Cover {...coverOf(track)} size="small" sizes="108px" eager />
          </Link>
          <DownloadButton track={track} className="min-h-12 flex-1" />
        </div>
        <Seek track={track} />
        <div className="flex items-center gap-5">
          <Transport track={track} />
          <span className="flex-1" />
          {track.onSale !== false && (
            <>
              <CollectButton sample={track} className="row-icon" />
              <TryButton samples={[track]} about={track.title} className="row-icon" onPress={onClose} />
              <SaveButton sample={track} place="list" />
            </>
          )}
        </div>
        <div className="flex items-center gap-5">
          <Heard track={track} />
        </div>
        {track.onSale !== false && (
          <Link to={paths.sample(track.id)} className="underlined justify-self-start py-2" onClick={onClose}>
            About this sound
          </Link>
        )}
        <AuditionSettings track={track} onClose={onClose} onFollow={onClose} />
      </div>
    </Dialog>
  );
}
