import { useState } from 'react';
import type { TokenScope } from '../../../../../application/shared/endpoint.js';
import { TOKEN_NAME_MAX_LENGTH } from '../../../../../application/accounts/values.js';
import { api } from '../../../api/api.js';
import { invalidate } from '../../../api/query-client.js';
import { businessNow } from '../../../clock.js';
import { messageOf } from '../../../api/transport/http.js';
import { Button } from '../../../ui/button.js';
import { Checkbox, Input, Select } from '../../../ui/forms/field.js';
import { FormFrame } from '../../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { CopyButton } from '../../../ui/copy-button.js';

const SCOPES: Record<TokenScope, string> = {
  'catalogue:read': 'Search the catalogue',
  'library:read': 'Read your library and certificates',
  'library:download': 'Download what you bought',
  'packs:write': 'Upload, change and publish your packs',
};

const DAY_MS = 86_400_000;
const LIFETIMES = [
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['', 'Never'],
] as const;

interface Form {
  name: string;
  scopes: TokenScope[];
  days: string;
}

/**
 * Creates an access token and shows it. While it is shown, Escape does not close the dialog, because the token cannot
 * be shown again.
 */
export default function TokenDialog({ isCreator, onClose }: { isCreator: boolean; onClose: () => void }) {
  const [token, setToken] = useState<string>();
  const { register, field, formProps, setError, formState } = useBodyForm('POST /api/tokens', {
    defaultValues: { name: '', scopes: ['library:read', 'library:download'], days: '365' } as Form,
    body: ({ name, scopes, days }: Form) => ({
      name,
      scopes,
      ...(days && { expiresAt: new Date(businessNow() + Number(days) * DAY_MS).toISOString() }),
    }),
    check: ({ scopes }) => (scopes.length === 0 ? { scopes: 'Choose at least one' } : {}),
  });
  const submit = async (body: { name: string; scopes: TokenScope[]; expiresAt?: string }) => {
    try {
      setToken((await api('POST /api/tokens', { body })).token);
      await invalidate('GET /api/tokens');
    } catch (error) {
      setError('name', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  if (token !== undefined)
    return (
      <Dialog
        open
        alert
        onClose={() => {}}
        title="Your access token"
        description="We show it only now. Keep it like a password."
        width={480}
        actions={
          <Button tone="primary" onClick={onClose}>
            I kept it
          </Button>
        }
      >
        <p className="mono border border-strong bg-inset p-4 break-all select-all">{token}</p>
        <CopyButton size="small" className="mt-4" data-autofocus text={token} />
      </Dialog>
    );
  return (
    <FormFrame
      title="New access token"
      description="A program with it can do what you choose here. It can never spend credits or change your account."
      width={480}
      confirmLabel="Create token"
      form={{ ...formProps(submit), className: 'grid gap-5' }}
      busy={formState.isSubmitting}
      onClose={onClose}
    >
      <Input
        label="Name"
        placeholder="Studio PC"
        maxLength={TOKEN_NAME_MAX_LENGTH}
        data-autofocus
        {...field('name')}
      />
      <fieldset>
        <legend className="mb-1 font-semibold">It may</legend>
        {Object.entries(SCOPES).map(
          ([scope, label]) =>
            (isCreator || scope !== 'packs:write') && (
              <Checkbox key={scope} label={label} value={scope} {...register('scopes')} />
            ),
        )}
        {formState.errors.scopes && <p className="text-sm text-danger">{formState.errors.scopes.message}</p>}
      </fieldset>
      <Select label="Ends" options={LIFETIMES} {...field('days')} />
    </FormFrame>
  );
}
