import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AccountMap, KnownAccounts } from '../../../../../application/ledger/reports/report-contract.js';
import { accountLabel } from '../../../../../application/ledger/values.js';
import { query } from '../../../api/api.js';
import { changeAccountMap } from '../../../api/finance.js';
import { FileLink } from '../../../downloads/file-link.js';
import { Badge } from '../../../ui/badge.js';
import { Button, buttonClass } from '../../../ui/button.js';
import { Input, Select } from '../../../ui/forms/field.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { toast } from '../../../ui/overlays/toast.js';
import { Problem } from '../../../ui/states.js';
import { monthName } from '../../../staff/dates.js';
import { FormDialog } from '../../../ui/forms/form-dialog.js';
import { BarPanel } from '../../../staff/page-parts.js';

const FORMATS = { quickbooks: 'QuickBooks', xero: 'Xero' } as const;

/** Edits the names and codes of our accounts in another bookkeeping system. An account needs both or neither. */
function AccountMapDialog(props: KnownAccounts & { onClose: () => void }) {
  const { accounts, unmapped, onClose } = props;
  const all = [...accounts, ...unmapped.map((account) => ({ account, name: '', code: '' }))];
  const form = useBodyForm('PUT /api/finance/account-map', {
    defaultValues: { accounts: all },
    body: (fields: AccountMap) => ({
      accounts: fields.accounts.filter(({ name, code }) => name.trim() !== '' || code.trim() !== ''),
    }),
    words: { accounts: 'An account needs a name and a code, or neither' },
  });
  return (
    <FormDialog
      onClose={onClose}
      width={600}
      title="Accounts in your bookkeeping"
      description="QuickBooks finds an account by its name, Xero by its code."
      confirmLabel="Save"
      form={form}
      send={(body) => changeAccountMap(body).then(() => toast({ title: 'The accounts have their names' }))}
      refusalAt="accounts"
    >
      <Problem of={form.formState.errors.accounts?.message} />
      {all.map(({ account }, at) => (
        <div key={account} className="grid grid-cols-[1fr_96px] items-end gap-3">
          <Input label={accountLabel(account)} autoComplete="off" {...form.register(`accounts.${at}.name`)} />
          <Input
            label="Code"
            aria-label={`Code of ${accountLabel(account)}`}
            {...form.register(`accounts.${at}.code`)}
          />
        </div>
      ))}
    </FormDialog>
  );
}

export function MonthJournal() {
  const months =
    useQuery(query('GET /api/finance/reports/deferred'))
      .data?.items.map(({ month }) => month)
      .reverse() ?? [];
  const closed = new Set(useQuery(query('GET /api/finance/periods')).data?.items.map(({ month }) => month));
  const { data: known } = useQuery(query('GET /api/finance/account-map'));
  const [chosen, setChosen] = useState('');
  const [isNaming, setNaming] = useState(false);
  // Before a month is chosen, shows the newest closed month, or the newest month if none is closed.
  const month = chosen || months.find((each) => closed.has(each)) || months[0];
  if (month === undefined) return null;
  const isDraft = !closed.has(month);
  return (
    <BarPanel
      title="A month for your bookkeeping"
      note={isDraft && <Badge tone="warn">Draft: the month is open</Badge>}
      actions={
        known && (
          <Button size="small" onClick={() => setNaming(true)}>
            Name the accounts
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-end gap-3 border-t border-line p-5">
        <Select
          label="Month"
          value={month}
          options={months.map((each) => [each, `${monthName(each)}${closed.has(each) ? '' : ' (open)'}`])}
          onChange={({ target }) => setChosen(target.value)}
        />
        {Object.entries(FORMATS).map(([format, name]) => (
          <FileLink
            key={format}
            path={`/api/finance/periods/${month}/journal?${new URLSearchParams({ format, draft: String(isDraft) })}`}
            name={`journal-${month}-${format}.csv`}
            className={buttonClass({}, 'min-h-11!')}
          >
            <Download size={16} />
            {name}
          </FileLink>
        ))}
        <p className="w-full text-sm text-muted">
          One journal entry in whole cents: a line for each account and side. What is less than a cent is in a
          line of its own.
        </p>
      </div>
      {isNaming && known && <AccountMapDialog {...known} onClose={() => setNaming(false)} />}
    </BarPanel>
  );
}
