import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import type { Mood } from '../../../../application/catalogue/contract.js';
import { putOwnPack } from '../../api/creator.js';
import { api } from '../../api/api.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { forgetUnsaved, useUnsaved } from '../../ui/forms/unsaved.js';
import { PackFields, type PackFieldValues } from '../../creators/pack-fields.js';

/** Drafts a pack and opens it in the editor. */
export default function NewPackDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm<PackFieldValues>({
    defaultValues: { name: '', genre: '', mood: '', description: '' },
  });
  useUnsaved(formState.isDirty);
  const create = async (values: PackFieldValues) => {
    try {
      const pack = await api('POST /api/creator/packs', {
        body: { ...values, name: values.name.trim(), mood: values.mood as Mood },
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
      <form id={id} noValidate onSubmit={(event) => void handleSubmit(create, refuse)(event)}>
        <PackFields register={register} errors={formState.errors} />
      </form>
    </Dialog>
  );
}
