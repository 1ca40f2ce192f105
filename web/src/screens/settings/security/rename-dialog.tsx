import type { PasskeyItem } from '../../../../../application/accounts/factors/contract.js';
import { PASSKEY_NAME_MAX_LENGTH } from '../../../../../application/accounts/values.js';
import { api } from '../../../api/api.js';
import { invalidate } from '../../../api/query-client.js';
import { Input } from '../../../ui/forms/field.js';
import { FormDialog } from '../../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';

export default function RenameDialog({ passkey, onClose }: { passkey: PasskeyItem; onClose: () => void }) {
  const form = useBodyForm('PATCH /api/me/passkeys/:id', { defaultValues: { name: passkey.name } });
  return (
    <FormDialog
      title="Rename passkey"
      width={420}
      confirmLabel="Save"
      form={form}
      refusalAt="name"
      send={async (body) => {
        await api('PATCH /api/me/passkeys/:id', { params: { id: passkey.id }, body });
        await invalidate('GET /api/me/factors');
      }}
      onClose={onClose}
    >
      <Input label="Name" maxLength={PASSKEY_NAME_MAX_LENGTH} data-autofocus {...form.field('name')} />
    </FormDialog>
  );
}
