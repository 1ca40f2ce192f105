import { type ReactNode, useId } from 'react';
import type * as z from 'zod';
import { Controller } from 'react-hook-form';
import {
  KEYS,
  KIND_LABELS,
  type Kind,
  KINDS,
  ORIGIN_LABELS,
  ORIGINS,
  type Instrument,
  type Origin,
} from '../../../../application/catalogue/values.js';
import type { OwnSample, SampleChange } from '../../../../application/publishing/contract.js';
import { SAMPLE_TEMPO_MAX_BPM, TITLE_MAX_LENGTH } from '../../../../application/publishing/values.js';
import { Chip } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Input, Select } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { formatDuration } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { heardIn, sourceOf } from './grid/suggested.js';
import { CostField, InstrumentsField } from './sample-fields.js';
import { Sheet } from './sheet.js';

export interface SampleValues {
  name: string;
  /** The tempo as typed: whole beats per minute, or 0 for no tempo. */
  bpm: string;
  key: string | null;
  instruments: Instrument[];
  creditCost: number;
  isRoyaltyFree: boolean;
  kind: Kind | null;
  origin: Origin | null;
}

/** The state of a sample's form, with its validation. */
export const useSampleForm = (defaultValues: SampleValues, { needsOrigin }: { needsOrigin: boolean }) =>
  useBodyForm('PATCH /api/creator/packs/:id/samples/:sampleId', {
    defaultValues,
    body: ({ bpm, ...values }: SampleValues) => ({ ...values, bpm: bpm.trim() ? Number(bpm) : undefined }),
    check: ({ bpm, origin }) => ({
      ...(!bpm.trim() && { bpm: 'Whole number' }),
      ...(needsOrigin && !origin && { origin: 'Choose an origin' }),
    }),
  });
type Form = ReturnType<typeof useSampleForm>;

const percent = (share: number) => `${Math.round(share * 100)}%`;

function TempoSuggestion({ sample, form }: { sample: OwnSample; form: Form }) {
  const { tempo } = sample.suggestions;
  const typed = Number(form.watch('bpm'));
  const base = Number.isInteger(typed) && typed > 0 ? typed : (tempo?.bpm ?? 0);
  const use = (bpm: number) => form.setValue('bpm', String(bpm), { shouldDirty: true, shouldValidate: true });
  if (base === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {tempo && (
        <Chip
          aria-disabled={typed === tempo.bpm || undefined}
          title="Use the detected tempo"
          onClick={() => use(tempo.bpm)}
        >
          Detected {tempo.bpm} BPM <span className="text-faint">{percent(tempo.confidence)} sure</span>
        </Chip>
      )}
      <Chip aria-label="½× the tempo" onClick={() => use(Math.round(base / 2))}>
        ½×
      </Chip>
      <Chip aria-label="2× the tempo" onClick={() => use(Math.min(SAMPLE_TEMPO_MAX_BPM, base * 2))}>
        2×
      </Chip>
    </div>
  );
}

function KeySuggestion({ sample, form }: { sample: OwnSample; form: Form }) {
  const { key } = sample.suggestions;
  if (!key) return null;
  return (
    <Chip
      aria-disabled={form.watch('key') === key.key || undefined}
      title="Use the detected key"
      onClick={() => form.setValue('key', key.key, { shouldDirty: true })}
    >
      Detected {key.key} <span className="text-faint">{percent(key.confidence)} sure</span>
    </Chip>
  );
}

export const refuseFields = () => toast({ title: 'Please fill in all required fields', tone: 'danger' });

/**
 * A side panel with the fields of a sample. For an existing sample, it also offers the tempo and the key that the
 * analysis found.
 */
export function SampleForm(props: {
  title: string;
  submit: string;
  form: Form;
  onSubmit: (facts: z.output<typeof SampleChange>) => Promise<void>;
  onClose: () => void;
  head: ReactNode;
  aside?: ReactNode;
  /** The length of the sound; null while it is unknown. */
  durationMs: number | null;
  /** The sample that the form changes; absent for a new sample. */
  sample?: OwnSample;
  children?: ReactNode;
}) {
  const { title, submit, form, onSubmit, onClose, head, aside, durationMs, sample, children } = props;
  const id = useId();
  const { register, field, control, formState, formProps } = form;
  const automatic = sample && heardIn(sample, { id: 'kind' });
  return (
    <Sheet
      title={title}
      onClose={onClose}
      aside={aside}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" busy={formState.isSubmitting}>
            {submit}
          </Button>
        </>
      }
    >
      {head}
      <form id={id} {...formProps(onSubmit, refuseFields)} className="grid gap-5">
        <Input label="Name" maxLength={TITLE_MAX_LENGTH} required {...field('name')} />
        <div>
          <div className="grid grid-cols-[110px_minmax(0,1fr)_minmax(0,0.8fr)] gap-3">
            <Input label="BPM" inputMode="numeric" required {...field('bpm')} />
            <Controller
              control={control}
              name="key"
              render={({ field: { value, onChange } }) => (
                <Select
                  label="Key"
                  value={value ?? ''}
                  onChange={(event) => onChange(event.target.value || null)}
                >
                  <option value="">None</option>
                  {KEYS.map((key) => (
                    <option key={key}>{key}</option>
                  ))}
                </Select>
              )}
            />
            <div>
              <p className="mb-2 font-semibold">Duration</p>
              <p className="flex min-h-11 flex-wrap items-center justify-between gap-x-2 rounded border border-line px-3.5 text-md">
                {durationMs === null ? '–:––' : formatDuration(durationMs)}
                <span className="text-sm text-faint max-sm:hidden">from audio</span>
              </p>
            </div>
          </div>
          {sample && (
            <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1.5">
              <TempoSuggestion sample={sample} form={form} />
              <KeySuggestion sample={sample} form={form} />
            </div>
          )}
        </div>
        <Controller
          control={control}
          name="instruments"
          render={({ field: { value, onChange } }) => <InstrumentsField {...{ value, onChange }} />}
        />
        <Controller
          control={control}
          name="creditCost"
          render={({ field: { value, onChange } }) => <CostField {...{ value, onChange }} />}
        />
        <Controller
          control={control}
          name="kind"
          render={({ field: { value, onChange } }) => (
            <Select
              label="Kind"
              value={value ?? ''}
              onChange={(event) => onChange(event.target.value || null)}
            >
              <option value="">
                {automatic ? `${automatic.text}. ${sourceOf(automatic)}` : 'As the file suggests'}
              </option>
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {KIND_LABELS[kind]}
                </option>
              ))}
            </Select>
          )}
        />
        <Controller
          control={control}
          name="origin"
          render={({ field: { value, onChange }, fieldState }) => (
            <Select
              label="Origin"
              value={value ?? ''}
              error={fieldState.error?.message}
              onChange={(event) => onChange(event.target.value || null)}
            >
              <option value="">Not stated</option>
              {ORIGINS.map((origin) => (
                <option key={origin} value={origin}>
                  {ORIGIN_LABELS[origin]}
                </option>
              ))}
            </Select>
          )}
        />
        <div className="flex flex-wrap gap-x-6 gap-y-4 border-t border-line pt-5">
          {children}
          <label className="flex flex-[1_1_150px] items-start gap-2.5">
            {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- A checkbox says so by itself. */}
            <input type="checkbox" role="switch" className="switch" {...register('isRoyaltyFree')} />
            <span>
              <b>Royalty-free</b>
              <span className="block text-sm leading-tight text-muted">Stated on the certificate</span>
            </span>
          </label>
        </div>
      </form>
    </Sheet>
  );
}
