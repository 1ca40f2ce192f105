import { useNavigate } from 'react-router-dom';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import type { FormBody } from '../../api/check-body.js';
import { PackDialog, type PackValues } from '../../creators/pack-dialog.js';
import { paths } from '../../paths.js';
import { forgetUnsaved } from '../../ui/forms/unsaved.js';
import { toast } from '../../ui/overlays/toast.js';
import { changedOnly, writePack } from './write-pack.js';

const valuesOf = ({ title, genre, mood, description }: OwnPack): PackValues => ({
  name: title,
  genre,
  mood,
  description,
});

/** The dialog "Edit Pack Info". A new name moves the pack to a new address; the old one redirects. */
export default function PackInfoDialog({ pack, onClose }: { pack: OwnPack; onClose: () => void }) {
  const navigate = useNavigate();
  const save = async (
    facts: FormBody<'PATCH /api/creator/packs/:id'>,
    dirtyFields: Readonly<Record<string, unknown>>,
  ) => {
    const body = changedOnly(facts, dirtyFields);
    const changed = await writePack(
      pack.slug,
      (ifMatch) => api('PATCH /api/creator/packs/:id', { params: { id: pack.id }, body, ifMatch }),
      { replaces: (now) => Object.keys(body).map((field) => valuesOf(now)[field as keyof PackValues]) },
    );
    // After a conflict, the dialog stays open with the creator's text, so that the creator can compare it with the
    // other change.
    if (!changed) return;
    forgetUnsaved();
    onClose();
    toast({ title: 'Updated', description: changed.title });
    if (changed.slug !== pack.slug) void navigate(paths.creatorPack(changed.slug), { replace: true });
  };
  return (
    <PackDialog
      endpoint="PATCH /api/creator/packs/:id"
      title="Edit Pack Info"
      submit="Save"
      values={valuesOf(pack)}
      nameMissing="Pack name is required"
      send={save}
      onClose={onClose}
    />
  );
}
