import { useNavigate } from 'react-router-dom';
import { api } from '../../api/api.js';
import { putOwnPack } from '../../api/creator.js';
import { PackDialog } from '../../creators/pack-dialog.js';
import { paths } from '../../paths.js';
import { forgetUnsaved } from '../../ui/forms/unsaved.js';

export default function NewPackDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <PackDialog
      endpoint="POST /api/creator/packs"
      title="Create New Pack"
      submit="Create Pack"
      values={{ name: '', genre: '', mood: '', description: '' }}
      onClose={onClose}
      send={async (body) => {
        const pack = await api('POST /api/creator/packs', { body });
        putOwnPack(pack);
        forgetUnsaved();
        onClose();
        void navigate(paths.creatorPack(pack.slug), { state: { packData: pack, fromDashboard: true } });
      }}
    />
  );
}
