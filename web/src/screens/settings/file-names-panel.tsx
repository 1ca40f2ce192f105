import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { DEFAULT_TEMPLATE, fileStem, PLACEHOLDERS } from '../../../../application/library/values.js';
import { api, query } from '../../api/api.js';
import type { FormBody } from '../../api/check-body.js';
import { queryClient } from '../../api/query-client.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/section.js';

const fileNames = query('GET /api/library/file-names');

const EXAMPLE = {
  creator: 'Rook & Daughters',
  title: 'Dusty break',
  pack: 'Sunday dust',
  bpm: 90,
  key: 'A Minor',
  genre: 'Boom-Bap',
  mood: 'Chill',
  instruments: ['Drums'],
  kind: 'loop',
};
const UNKNOWN = { ...EXAMPLE, title: 'Tape hiss', bpm: 0, key: null, instruments: [], kind: null };

function FileNamesForm({ template }: { template: string }) {
  const { register, formProps, control, reset, setValue, formState } = useBodyForm(
    'PUT /api/library/file-names',
    { defaultValues: { template }, mode: 'onChange' },
  );
  const { errors, isSubmitting, isDirty } = formState;
  useUnsaved(isDirty);
  const example = useId();
  const typed = useWatch({ control, name: 'template' });
  const submit = async (body: FormBody<'PUT /api/library/file-names'>) => {
    try {
      await api('PUT /api/library/file-names', { body });
      queryClient.setQueryData(fileNames.queryKey, body);
      reset(body);
      toast({ title: 'File names saved', description: 'They apply to downloads from now on.' });
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <form {...formProps(submit)} className="mt-3 grid gap-4">
      <Input
        label="Template"
        spellCheck={false}
        autoComplete="off"
        hint={PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}
        error={errors.template?.message}
        {...register('template')}
      />
      <div className="min-w-0">
        <p id={example} className="text-sm text-muted">
          Example, and one without tempo and key
        </p>
        <output aria-labelledby={example} className="mt-1 grid gap-0.5 break-words">
          {[EXAMPLE, UNKNOWN].map((sample) => (
            <span key={sample.title}>{fileStem(typed, sample)}.wav</span>
          ))}
        </output>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" tone="primary" busy={isSubmitting} disabled={!isDirty}>
          Save
        </Button>
        <Button
          size="small"
          disabled={typed === DEFAULT_TEMPLATE}
          onClick={() => setValue('template', DEFAULT_TEMPLATE, { shouldDirty: true, shouldValidate: true })}
        >
          Use the default
        </Button>
      </div>
    </form>
  );
}

/** A form that sets how the listener's files are named in downloads, archives and synced folders. */
export function FileNamesPanel() {
  const { data } = useQuery(fileNames);
  if (!data) return null;
  return (
    <Section title="File names" heading="text-md font-semibold" className="panel p-5">
      <p className="mt-1 text-muted">
        For downloads, archives and synced folders. If a sample lacks a value, the text around it is left out.
      </p>
      <FileNamesForm template={data.template} />
    </Section>
  );
}
