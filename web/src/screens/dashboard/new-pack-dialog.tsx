import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import type { FormBody } from '../../api/check-body.js';
import { putOwnPack } from '../../api/creator.js';
import { api } from '../../api/api.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { forgetUnsaved, useUnsaved } from '../../ui/forms/unsaved.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { PACK_WORDS, PackFields } from '../../creators/pack-fields.js';

/** Drafts a pack and opens it in the editor. */
export default function NewPackDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const { register, formProps, formState } = useBodyForm('POST /api/creator/packs', {
    defaultValues: { name: '', genre: '', mood: '', description: '' },
    words: PACK_WORDS,
  });
  useUnsaved(formState.isDirty);
  const create = async (body: FormBody<'POST /api/creator/packs'>) => {
    try {
      const pack = await api('POST /api/creator/packs', {
        body,
      });
      putOwnPack(pack);
      forgetUnsaved();
      onClose();
      void navigate(paths.creatorPack(pack.slug), { state: { packData: pack, fromDashboard: true } });
    } catch (error) {
      notifyError(error);
    }
  };
  const refuse = () => toast({ title: 'Please fill in all required fields', tone: 'danger' });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create New Pack"
      width={520}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" busy={formState.isSubmitting}>
            Create Pack
          </Button>
        </>
      }
    >
      <form id={id} {...formProps(create, refuse)}>
        <PackFields register={register} errors={formState.errors} />
      </form>
    </Dialog>
  );
}
