import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import type { Mood } from '../../../../application/catalogue/contract.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import { PackFields, type PackFieldValues } from '../../creators/pack-fields.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { forgetUnsaved, useUnsaved } from '../../ui/forms/unsaved.js';
import { writePack } from './write-pack.js';

/** The dialog "Edit Pack Info". A new name moves the pack to a new address; the old one redirects. */
export default function PackInfoDialog({ pack, onClose }: { pack: OwnPack; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm<PackFieldValues>({
    defaultValues: { name: pack.title, genre: pack.genre, mood: pack.mood, description: pack.description },
  });
  useUnsaved(formState.isDirty);
  const save = async (values: PackFieldValues) => {
    try {
      const changed = await writePack(pack.slug, (ifMatch) =>
        api('PATCH /api/creator/packs/:id', {
          params: { id: pack.id },
          body: { ...values, name: values.name.trim(), mood: values.mood as Mood },
          ifMatch,
        }),
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
        noValidate
        onSubmit={(event) =>
          void handleSubmit(save, (errors) =>
            toast({
              title: errors.name ? 'Pack name is required' : 'Please fill in all required fields',
              tone: 'danger',
            }),
          )(event)
        }
      >
        <PackFields register={register} errors={formState.errors} />
      </form>
    </Dialog>
  );
}
