import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { CertificateState, MissingFacts } from '../../../../application/administration/contract.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import type { Certificate } from '../../../../application/purchases/contract.js';
import { api, apiOnce } from '../../api/api.js';
import { missingFactsQuery } from '../../api/finance.js';
import { invalidate } from '../../api/query-client.js';
import { ApiProblem } from '../../api/transport/http.js';
import { utcTime } from '../../staff/dates.js';
import { askReason, type Decision, reportWaiting } from '../../staff/decisions.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { type Filters, FilterFields, useFilters } from '../../staff/list/list-page.js';
import { List } from '../../staff/list/list.js';
import { Awaited, Fact, PageHead, Panel } from '../../staff/page-parts.js';
import { Button } from '../../ui/button.js';
import { FileDrop } from '../../ui/forms/file-drop.js';
import { countOf, formatUsdCents } from '../../ui/format.js';
import { notifyError } from '../../ui/overlays/toast.js';
import { EmptyState } from '../../ui/states.js';
import { eventName } from './parts/named.js';

const FILTERS = { since: { type: 'date', label: 'Day of the backup (UTC)' } } satisfies Filters;

const Command = ({ children }: { children: string }) => (
  <code className="mono wrap-anywhere">{children}</code>
);

/** Shows the newest event of the restored log, and the signed heads that contradict this log. */
function Log({ missing: { position, lastEventAt, heads, restores } }: { missing: MissingFacts }) {
  return (
    <Panel title="Log" link={{ to: staffPaths.approvals('finance'), label: 'Approvals' }}>
      <dl className="flex flex-wrap gap-x-12 gap-y-4">
        <Fact name="Events">{position.toLocaleString('en')}</Fact>
        <Fact name="The newest (UTC)">{lastEventAt ? utcTime(lastEventAt) : 'none'}</Fact>
        <Fact name="Heads that contradict it">
          {heads.length === 0 ? 'none' : heads.map(({ hour }) => hour).join(', ')}
        </Fact>
        <Fact name="Recorded restores">
          {restores.length === 0
            ? 'none'
            : restores
                .map(({ at, position: end }) => `to event ${end.toLocaleString('en')}, ${utcTime(at)}`)
                .join('; ')}
        </Fact>
      </dl>
      {heads.length > 0 && (
        <p className="mt-4 text-muted">
          <Command>offcut restore record</Command> asks a second person to excuse these heads. They excuse
          nothing else.
        </p>
      )}
    </Panel>
  );
}

const PAYMENTS: Column<MissingFacts['payments'][number]>[] = [
  { label: 'Invoice', value: ({ invoiceId }) => invoiceId, kind: kinds.code },
  { label: 'Paid (UTC)', value: ({ paidAt }) => paidAt, kind: kinds.time },
  { label: 'By', value: ({ email, customerId }) => email ?? `${customerId}, whose account is lost` },
  {
    label: 'Amount',
    value: ({ usdCents }) => ({ microUsd: usdCents * 10_000 }),
    cell: ({ usdCents }) => formatUsdCents(usdCents),
    align: 'right',
  },
];

const SUMMARIES: Record<string, string> = { notices: 'A summary of news', weekly: 'The weekly mail' };

const MAILS: Column<MissingFacts['mails'][number]>[] = [
  { label: 'Sent (UTC)', value: ({ sentAt }) => sentAt, kind: kinds.time },
  {
    label: 'About',
    value: ({ about }) => SUMMARIES[about] ?? about,
    cell: ({ about }) => SUMMARIES[about] ?? eventName(about),
  },
  { label: 'Event', value: ({ position }) => position, align: 'right' },
  {
    label: 'To',
    value: ({ email, userId }) =>
      email ?? (userId === null ? 'An address without an account' : `${userId}, whose account is gone`),
  },
];

const recording = (certificate: Certificate): Decision => ({
  title: `Record “${certificate.sample.title}” of ${certificate.licensee.displayName}?`,
  consequence:
    'A second person has to agree. The buyer then pays the present price with the credits that came back, owns the sound again, and the creator gets the share.',
  confirmLabel: 'Ask for approval',
  tone: 'primary',
  key: 'POST /api/finance/missing-facts/purchases',
  subject: { certificate },
  decide: async (reason) => {
    await apiOnce('POST /api/finance/missing-facts/purchases', { body: { certificate, reason } });
    void invalidate('GET /api/finance/approvals');
    reportWaiting('The buyer can buy the sound until then.');
  },
});

interface Checked extends CertificateState {
  file: string;
  certificate: Certificate | undefined;
}

const TONES = { known: 'ok', missing: 'warn', invalid: 'danger' } as const;

const CERTIFICATES: Column<Checked>[] = [
  { label: 'File', value: ({ file }) => file },
  { label: 'State', value: ({ state }) => state, tone: ({ state }) => TONES[state] },
  {
    label: 'Sound',
    value: ({ certificate, reason }) =>
      certificate ? `${certificate.sample.title}, ${certificate.sample.pack}` : reason,
  },
  {
    label: 'Of',
    value: ({ certificate }) => certificate?.licensee.displayName ?? '',
    cell: ({ certificate }) =>
      certificate && (
        <Link className="underlined" to={staffPaths.financeProof(certificate.licensee.id)}>
          {certificate.licensee.displayName}
        </Link>
      ),
  },
  { label: 'Bought (UTC)', value: ({ certificate }) => certificate?.issuedAt ?? '', kind: timeOf },
  {
    label: 'Record',
    value: ({ state }) => (state === 'missing' ? 'not recorded' : ''),
    cell: ({ state, file, certificate }) =>
      state === 'missing' &&
      certificate && (
        <Button
          size="small"
          aria-label={`Record ${file} again`}
          onClick={() => askReason(recording(certificate))}
        >
          Record Again
        </Button>
      ),
  },
];

function timeOf(at: unknown) {
  return at ? kinds.time(String(at)) : null;
}

async function examined(file: File): Promise<Checked> {
  const lost = {
    file: file.name,
    certificate: undefined,
    state: 'invalid',
    reason: 'Not a certificate',
  } as const;
  try {
    const body = JSON.parse(await file.text()) as Certificate;
    const state = await api('POST /api/finance/missing-facts/certificates', { body });
    return { file: file.name, ...state, certificate: state.state === 'invalid' ? undefined : body };
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof ApiProblem && error.status === 400)) return lost;
    throw error;
  }
}

/** Checks certificates that buyers sent in. They prove purchases that the log lacks. */
function Certificates() {
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const take = (file: File): void => {
    examined(file).then(
      (one) => setChecked((others) => [one, ...others.filter((other) => other.file !== one.file)]),
      notifyError,
    );
  };
  return (
    <>
      <Panel title="Certificates of buyers">
        <p className="mb-4 max-w-[72ch] text-muted">
          A genuine certificate proves a purchase that the log lacks. Its buyer has the credits back. Once a
          second person agrees, the purchase is recorded again at its present price.
        </p>
        <FileDrop label="A certificate" accept=".json,application/json" onFile={take}>
          The certificate as JSON, as buyers download it.
        </FileDrop>
      </Panel>
      {checked.length > 0 && (
        <List
          title="Checked certificates"
          note={countOf(checked.length, 'file')}
          file="certificates"
          columns={CERTIFICATES}
          of={checked}
          keyOf={({ file }) => file}
        />
      )}
    </>
  );
}

export function RestorePage() {
  const { since } = useFilters(FILTERS);
  const answer = useQuery({ ...missingFactsQuery(since), enabled: since !== '' });
  const missing = answer.data;
  return (
    <>
      <PageHead
        title="Restore"
        note="What Stripe, signed heads, mails and buyers know, and a restored log lacks."
      >
        <FilterFields filters={FILTERS} />
      </PageHead>
      {!since && (
        <EmptyState title="Nothing is compared yet">
          Choose the day of the backup that was restored.
        </EmptyState>
      )}
      {since && !missing && (
        <Awaited query={answer} what="missing facts" loading="Asking Stripe..." height={320} />
      )}
      {missing && (
        <div className="grid gap-4">
          <Log missing={missing} />
          <List
            title="Payments without an event"
            note={
              missing.payments.length > 0 ? (
                <>
                  <Command>{`offcut stripe backfill --since ${since}`}</Command> records them.
                </>
              ) : undefined
            }
            file="missing-payments"
            columns={PAYMENTS}
            of={missing.payments}
            keyOf={({ invoiceId }) => invoiceId}
            empty="The log has every payment."
          />
          <List
            title="Movements at Stripe without an event"
            note={missing.movements.length > 0 ? countOf(missing.movements.length, 'movement') : undefined}
            file="missing-movements"
            columns={[{ label: 'Movement', value: (id: string) => id, kind: kinds.code }]}
            of={missing.movements}
            keyOf={(id) => id}
            empty="The log has every movement."
          />
          <List
            title="Mails about events that are gone"
            note={
              missing.mails.length > 0
                ? 'These people know of something that the log lacks. The runbook has a text for them.'
                : undefined
            }
            file="missing-mails"
            columns={MAILS}
            of={missing.mails}
            keyOf={({ sentAt, position, userId }) => `${sentAt} ${position} ${userId}`}
            empty="The log has the event of every mail."
          />
          <Certificates />
        </div>
      )}
    </>
  );
}
