import { GENRES, MOODS } from '../../../application/catalogue/values.js';
import { DESCRIPTION_MAX_LENGTH, TITLE_MAX_LENGTH } from '../../../application/publishing/values.js';
import type { FormBody } from '../api/check-body.js';
import { Input, Select, Textarea } from '../ui/forms/field.js';
import { FormFrame } from '../ui/forms/form-dialog.js';
import { useUnsaved } from '../ui/forms/unsaved.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { notifyError, toast } from '../ui/overlays/toast.js';

export interface PackValues {
  name: string;
  genre: string;
  mood: string;
  description: string;
}

type PackKey = 'POST /api/creator/packs' | 'PATCH /api/creator/packs/:id';
type Form<K extends PackKey> = ReturnType<typeof useBodyForm<PackValues, K>>;

/** A dialog to enter a pack's name, genre, mood and description. If `send` throws, the dialog stays open. */
export function PackDialog<K extends PackKey>(props: {
  endpoint: K;
  title: string;
  submit: string;
  values: PackValues;
  nameMissing?: string;
  send: (body: FormBody<K>, dirtyFields: Form<K>['formState']['dirtyFields']) => Promise<void>;
  onClose: () => void;
}) {
  const { endpoint, title, submit, values, nameMissing, send, onClose } = props;
  const form = useBodyForm<PackValues, K>(endpoint, {
    defaultValues: values,
    words: { genre: 'Choose a genre', mood: 'Choose a mood' },
  });
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  useUnsaved(isDirty);
  const choice = (name: 'genre' | 'mood', label: string, options: readonly string[]) => (
    <Select label={label} required {...form.field(name)}>
      <option value="">Choose</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
  return (
    <FormFrame
      title={title}
      width={520}
      confirmLabel={submit}
      form={form.formProps(
        (body) => send(body, dirtyFields).catch(notifyError),
        (wrong) =>
          toast({
            title: (wrong.name && nameMissing) ?? 'Please fill in all required fields',
            tone: 'danger',
          }),
      )}
      busy={isSubmitting}
      onClose={onClose}
    >
      <Input label="Name *" data-autofocus maxLength={TITLE_MAX_LENGTH} required {...form.field('name')} />
      <div className="grid gap-4 sm:grid-cols-2">
        {choice('genre', 'Genre *', GENRES)}
        {choice('mood', 'Mood *', MOODS)}
      </div>
      <Textarea
        label="Description"
        rows={4}
        maxLength={DESCRIPTION_MAX_LENGTH}
        {...form.field('description')}
      />
    </FormFrame>
  );
}
