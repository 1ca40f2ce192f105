import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ID_CHARACTERS } from '../../../../../application/shared/values.js';
import type { EventPage } from '../../../../../application/ledger/contract.js';
import { nameQuery } from '../../../api/names.js';

/** The name of a person once it is known; a system actor such as the command line has its own name. */
export function useName(id: string): string | undefined {
  const [, system] = /^system:(.+)$/.exec(id) ?? [];
  const { data } = useQuery({ ...nameQuery(id), enabled: system === undefined && ID_CHARACTERS.test(id) });
  return system?.replaceAll('-', ' ') ?? data ?? undefined;
}

/** The actor who caused an event. */
export const actorOf = ({ metadata }: Pick<EventPage['items'][number], 'metadata'>): string =>
  String(metadata.actor ?? '');

/** The name of an actor, with the id on hover. */
export function By({ id }: { id: string }) {
  return (
    <span className="md:whitespace-nowrap" title={id}>
      {useName(id) ?? <span className="mono">{id.length > 12 ? `${id.slice(0, 8)}\u2026` : id}</span>}
    </span>
  );
}

/** A kind of column: the id of an actor. */
export const actor = (id: string): ReactNode => <By id={id} />;

/** A stream, with the name of its person if it has one. */
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

/** An account of the books, with the name of its person if it has one. */
export function AccountName({ account, name }: { account: string; name?: string | undefined }) {
  if (!name) return <span className="mono break-all">{account}</span>;
  return (
    <span title={account}>
      {name} <span className="mono text-xs text-faint">{account.split(':')[0]}</span>
    </span>
  );
}
