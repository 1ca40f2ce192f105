import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import type { FormBody } from '../../api/check-body.js';
import { PACK_WORDS, PackFields } from '../../creators/pack-fields.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { forgetUnsaved, useUnsaved } from '../../ui/forms/unsaved.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { changedOnly, writePack } from './write-pack.js';

/** The dialog "Edit Pack Info". A new name moves the pack to a new address; the old one redirects. */
export default function PackInfoDialog({ pack, onClose }: { pack: OwnPack; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const { register, formProps, formState } = useBodyForm('PATCH /api/creator/packs/:id', {
    defaultValues: { name: pack.title, genre: pack.genre, mood: pack.mood, description: pack.description },
    words: PACK_WORDS,
  });
  const { isDirty, dirtyFields } = formState;
  useUnsaved(isDirty);
  const save = async (body: FormBody<'PATCH /api/creator/packs/:id'>) => {
    const changes = changedOnly(body, dirtyFields);
    try {
      const changed = await writePack(
        pack.slug,
        (ifMatch) => api('PATCH /api/creator/packs/:id', { params: { id: pack.id }, body: changes, ifMatch }),
        {
          replaces: ({ title, genre, mood, description }) => {
            const replaced = { name: title, genre, mood, description };
            return Object.keys(changes).map((field) => replaced[field as keyof typeof replaced]);
          },
        },
      );
      forgetUnsaved();
      onClose();
      if (!changed) return;
      toast({ title: 'Updated', description: changed.title });
      if (changed.slug !== pack.slug) void navigate(paths.creatorPack(changed.slug), { replace: true });
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit Pack Info"
      width={520}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" busy={formState.isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={id}
        {...formProps(save, (errors) =>
          toast({
            title: errors.name ? 'Pack name is required' : 'Please fill in all required fields',
            tone: 'danger',
          }),
        )}
      >
        <PackFields register={register} errors={formState.errors} />
      </form>
    </Dialog>
  );
}
