import { useId } from 'react';
import type { AccountMap, KnownAccounts } from '../../../../../application/ledger/reports/report-contract.js';
import { changeAccountMap } from '../../../api/finance.js';
import { messageOf } from '../../../api/transport/http.js';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/forms/field.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { toast } from '../../../ui/overlays/toast.js';

/** Names of our accounts in another bookkeeping system. An account needs both name and code to be mapped. */
export function AccountMapDialog(props: KnownAccounts & { onClose: () => void }) {
  const { accounts, unmapped, onClose } = props;
  const all = [...accounts, ...unmapped.map((account) => ({ account, name: '', code: '' }))];
  const id = useId();
  const { register, formProps, formState, setError } = useBodyForm('PUT /api/finance/account-map', {
    defaultValues: { accounts: all },
    body: (fields: AccountMap) => ({
      accounts: fields.accounts.filter(({ name, code }) => name.trim() !== '' || code.trim() !== ''),
    }),
    words: { accounts: 'An account needs a name and a code, or neither' },
  });
  const { errors, isSubmitting } = formState;
  const send = async (body: AccountMap) => {
    try {
      await changeAccountMap(body);
      toast({ title: 'The accounts have their names' });
      onClose();
    } catch (error) {
      setError('accounts', { message: messageOf(error) });
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width={600}
      title="Accounts in your bookkeeping"
      description="QuickBooks finds an account by its name, Xero by its code."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} className="grid gap-4" {...formProps(send)}>
        {errors.accounts?.message && (
          <p role="alert" className="text-danger">
            {errors.accounts.message}
          </p>
        )}
        {all.map(({ account }, at) => (
          <div key={account} className="grid grid-cols-[1fr_96px] items-end gap-3">
            <Input label={account} autoComplete="off" {...register(`accounts.${at}.name`)} />
            <Input label="Code" aria-label={`Code of ${account}`} {...register(`accounts.${at}.code`)} />
          </div>
        ))}
      </form>
    </Dialog>
  );
}
