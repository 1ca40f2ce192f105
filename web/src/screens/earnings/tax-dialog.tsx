import { useQuery } from '@tanstack/react-query';
import type { TaxDetails } from '../../../../application/payouts/tax-contract.js';
import { api, query } from '../../api/api.js';
import { invalidate } from '../../api/query-client.js';
import { Checkbox, Input, Select } from '../../ui/forms/field.js';
import { FormDialog } from '../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

interface Fields {
  kind: string;
  legalName: string;
  street: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
  birthDate: string;
  registrationNumber: string;
  taxNumber: string;
  vatId: string;
  hasNoVatId: boolean;
}

/** Omits the tax number and the VAT id if their fields are empty, so that the server keeps the stored ones. */
const bodyOf = ({ taxNumber, vatId, hasNoVatId, ...fields }: Fields) => ({
  ...fields,
  region: fields.region || null,
  birthDate: (fields.kind === 'person' && fields.birthDate) || null,
  registrationNumber: (fields.kind === 'company' && fields.registrationNumber) || null,
  ...(taxNumber && { taxIds: [{ country: fields.country, number: taxNumber }] }),
  ...(hasNoVatId ? { vatId: null } : vatId && { vatId }),
});

const kept = (ending: string | null | undefined): string | undefined =>
  ending ? `Stored, ends in ${ending}. Leave it empty to keep it.` : undefined;

export default function TaxDialog({ details, onClose }: { details: TaxDetails; onClose: () => void }) {
  const { stated, fromProvider } = details;
  const known = stated ?? fromProvider;
  const [taxId] = stated?.taxIds ?? [];
  const payable = useQuery(query('GET /api/stripe/connect/countries'));
  const form = useBodyForm<Fields, 'PUT /api/creator/tax-details'>('PUT /api/creator/tax-details', {
    defaultValues: {
      kind: known?.kind ?? 'person',
      legalName: known?.legalName ?? '',
      street: known?.street ?? '',
      city: known?.city ?? '',
      region: known?.region ?? '',
      postalCode: known?.postalCode ?? '',
      country: known?.country ?? '',
      birthDate: known?.birthDate ?? '',
      registrationNumber: stated?.registrationNumber ?? '',
      taxNumber: '',
      vatId: '',
      hasNoVatId: false,
    },
    body: bodyOf,
    words: { country: 'Choose your country' },
  });
  useUnsaved(form.formState.isDirty);
  const isPerson = form.watch('kind') === 'person';
  const codes = new Set([...(payable.data?.items ?? []), ...(known?.country ? [known.country] : [])]);
  const countries = [...codes]
    .map((code) => [code, NAMES.of(code) ?? code] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
  const { errors } = form.formState as { errors: Record<string, { message?: string } | undefined> };
  const numberError = errors['taxIds']?.message;
  return (
    <FormDialog
      title="Tax details"
      description="As the tax authority of your country knows you."
      width={560}
      confirmLabel="Save"
      form={form}
      refusalAt="legalName"
      send={async (body) => {
        await api('PUT /api/creator/tax-details', { body });
        await invalidate('GET /api/creator/tax-details');
      }}
      onClose={onClose}
    >
      <Select
        label="You are"
        options={[
          ['person', 'A person'],
          ['company', 'A company'],
        ]}
        {...form.field('kind')}
      />
      <Input
        label={isPerson ? 'First and last name' : 'Name of the company'}
        autoComplete={isPerson ? 'name' : 'organization'}
        data-autofocus
        {...form.field('legalName')}
      />
      <Select label="Country of tax residence" {...form.field('country')}>
        <option value="">Choose a country</option>
        {countries.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Input label="Street and number" autoComplete="street-address" {...form.field('street')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Input label="Postal code" autoComplete="postal-code" {...form.field('postalCode')} />
        <Input label="City" autoComplete="address-level2" {...form.field('city')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Input label="State or province" autoComplete="address-level1" {...form.field('region')} />
        {isPerson ? (
          <Input label="Date of birth" type="date" autoComplete="bday" {...form.field('birthDate')} />
        ) : (
          <Input label="Registration number" {...form.field('registrationNumber')} />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          label="Tax number"
          autoComplete="off"
          spellCheck={false}
          hint={kept(taxId?.ending)}
          {...form.field('taxNumber')}
          {...(numberError && { error: numberError })}
        />
        <Input
          label="VAT id, if you have one"
          autoComplete="off"
          spellCheck={false}
          hint={kept(stated?.vatId)}
          {...form.field('vatId')}
        />
      </div>
      {stated?.vatId && <Checkbox label="I have no VAT id: delete it" {...form.register('hasNoVatId')} />}
    </FormDialog>
  );
}
