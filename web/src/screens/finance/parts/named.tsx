import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { ID_CHARACTERS } from '../../../../../application/shared/values.js';
import type { EventPage } from '../../../../../application/ledger/contract.js';
import { nameQuery } from '../../../api/finance.js';
import { accountLabel } from '../../../../../application/ledger/values.js';
import { useCopy } from '../../../ui/hooks/use-copy.js';

/** The name of a person, undefined until it has loaded. The id of a system actor contains its name. */
function useName(id: string): string | undefined {
  const [, system] = /^system:(.+)$/.exec(id) ?? [];
  const { data } = useQuery({ ...nameQuery(id), enabled: system === undefined && ID_CHARACTERS.test(id) });
  return system?.replaceAll('-', ' ') ?? data ?? undefined;
}

/** Replaces hyphens and underscores by spaces: "transfer-created" becomes "transfer created". */
export const inWords = (name: string): string => name.replaceAll(/[-_]/g, ' ');

export const actorOf = ({ metadata }: Pick<EventPage['items'][number], 'metadata'>): string =>
  String(metadata.actor ?? '');

export function By({ id }: { id: string }) {
  return (
    <span className="md:whitespace-nowrap" title={id}>
      {useName(id) ?? <span className="mono">{id.length > 12 ? `${id.slice(0, 8)}\u2026` : id}</span>}
    </span>
  );
}

export const actor = (id: string): ReactNode => <By id={id} />;

export function Stream({ stream }: { stream: string }) {
  const [, category = '', id = ''] = /^([a-z-]+)-([\da-f]{8}-[\da-f-]{27})(?=\.|$)/.exec(stream) ?? [];
  const name = useName(id);
  if (!name) return <span className="mono break-all">{stream}</span>;
  return (
    <span title={stream}>
      <span className="mono">{category}</span> of {name}
    </span>
  );
}

/** An account in plain words. An account of a lot or a person also has the end of its id, or the person's name. */
export function AccountName({ account, name }: { account: string; name?: string | undefined }) {
  const [, id] = /^(?:deferred|creator|user|frozen):(?!\*)(.+)$/.exec(account) ?? [];
  const label = accountLabel(account);
  return (
    <span title={account}>
      {name ?? label}
      {(name || id) && (
        <>
          {' '}
          <span className={clsx('text-xs text-faint', !name && 'mono')}>{name ? label : id?.slice(-8)}</span>
        </>
      )}
    </span>
  );
}

/** Labels of the event types whose name, split into words, would not be clear to staff. */
const EVENT_LABELS: Record<string, string> = {
  CopySuspected: 'Suspected copy found',
  CreditsRevoked: 'Credits taken back',
  GlassBroken: 'Emergency access used',
  MovementExplained: 'Movement at Stripe explained',
  MovementHeldInSuspense: 'Movement at Stripe put in suspense',
  PeriodSealed: 'Month ended',
  SamplePurchased: 'Sample bought',
  SidesSwapped: 'Copy and original swapped',
  TieOutDone: 'Compared with Stripe\u2019s report',
};

const eventLabel = (type: string): string =>
  EVENT_LABELS[type] ??
  type
    .replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\bmidi\b/i, 'MIDI')
    .replace(/^Ai\b/, 'AI');

export const EventName = ({ type }: { type: string }) => <span title={type}>{eventLabel(type)}</span>;

export const eventName = (type: string): ReactNode => <EventName type={type} />;

export const accountName = (account: string): ReactNode => <AccountName account={account} />;

const SHOWN_MS = 1_500;

/** A hash or an id; a press copies it. @param props.of the kind of id @param props.name shown instead of the id */
export function CopyId(props: { text: string; of: string; short?: number; name?: string | undefined }) {
  const { text, of, short = 12, name } = props;
  const { copied, copy, forget } = useCopy();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(forget, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied, forget]);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={text}
      aria-label={copied ? `${of} copied` : `${name ? `${name}, copy` : 'Copy'} ${of} ${text}`}
      className={clsx('inline-flex min-h-6 items-center gap-2 hover:text-text', !name && 'mono')}
      onClick={() => copy(text)}
    >
      <span className="truncate" style={name ? {} : { maxWidth: `${short}ch` }}>
        {name ?? text}
      </span>
      <Icon size={13} className="text-faint" />
    </button>
  );
}

/** A person's name once it is known, or the name of a system actor such as the command line. A press copies the id. */
export function NamedId({ id, of }: { id: string; of: string }) {
  return <CopyId text={id} of={of} name={useName(id)} />;
}
