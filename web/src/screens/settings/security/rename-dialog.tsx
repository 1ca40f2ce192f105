import { invalidate } from '../../../api/query-client.js';
import type { PasskeyItem } from '../../../../../application/accounts/factors/contract.js';
import { PASSKEY_NAME_MAX_LENGTH } from '../../../../../application/accounts/values.js';
import { api } from '../../../api/api.js';
import { messageOf } from '../../../api/transport/http.js';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/forms/field.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';

const FORM = 'rename-passkey';

export default function RenameDialog({ passkey, onClose }: { passkey: PasskeyItem; onClose: () => void }) {
  const { register, formProps, setError, formState } = useBodyForm('PATCH /api/me/passkeys/:id', {
    defaultValues: { name: passkey.name },
  });
  const submit = async (body: { name: string }) => {
    try {
      await api('PATCH /api/me/passkeys/:id', { params: { id: passkey.id }, body });
      await invalidate('GET /api/me/factors');
      onClose();
    } catch (error) {
      setError('name', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename passkey"
      width={420}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={FORM} busy={formState.isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form id={FORM} {...formProps(submit)}>
        <Input
          label="Name"
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          data-autofocus
          error={formState.errors.name?.message}
          {...register('name')}
        />
      </form>
    </Dialog>
  );
}
