import { useNavigate } from 'react-router-dom';
import { COLLECTION_NAME_MAX_LENGTH } from '../../../../application/library/values.js';
import { api } from '../../api/api.js';
import { collectionsChanged } from '../../collections/collections-changed.js';
import { paths } from '../../paths.js';
import { Input } from '../../ui/forms/field.js';
import { FormDialog } from '../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';

export default function NewCollectionDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useBodyForm('POST /api/collections/own', { defaultValues: { name: '' } });
  return (
    <FormDialog
      title="New collection"
      width={420}
      confirmLabel="Create"
      form={form}
      refusalAt="name"
      send={async (body) => {
        const { id } = await api('POST /api/collections/own', { body });
        collectionsChanged();
        void navigate(paths.ownCollection(id));
      }}
      onClose={onClose}
    >
      <Input label="Name" maxLength={COLLECTION_NAME_MAX_LENGTH} data-autofocus {...form.field('name')} />
    </FormDialog>
  );
}
