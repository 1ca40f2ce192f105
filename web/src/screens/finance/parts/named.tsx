import { useQuery } from '@tanstack/react-query';
import { ID_CHARACTERS } from '../../../../../application/shared/values.js';
import type { EventPage } from '../../../../../application/ledger/contract.js';
import { nameQuery } from '../../../api/names.js';

/** What somebody is called, as soon as that is known; the command line and the like by theirs. */
export function useName(id: string): string | undefined {
  const [, system] = /^system:(.+)$/.exec(id) ?? [];
  const { data } = useQuery({ ...nameQuery(id), enabled: system === undefined && ID_CHARACTERS.test(id) });
  return system?.replaceAll('-', ' ') ?? data ?? undefined;
}

/** Who wrote an event. */
export const actorOf = ({ metadata }: Pick<EventPage['items'][number], 'metadata'>): string =>
  String(metadata.actor ?? '');

/** Who did something, by name; the id on hover. */
export function By({ id }: { id: string }) {
  return (
    <span className="whitespace-nowrap" title={id}>
      {useName(id) ?? <span className="mono">{id.length > 12 ? `${id.slice(0, 8)}\u2026` : id}</span>}
    </span>
  );
}

/** A stream; whose it is by name, where it is somebody's. */
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

/** An account of the books; whose it is by name, where it is somebody's. */
export function AccountName({ account, name }: { account: string; name?: string | undefined }) {
  if (!name) return <span className="mono break-all">{account}</span>;
  return (
    <span title={account}>
      {name} <span className="mono text-xs text-faint">{account.split(':')[0]}</span>
    </span>
  );
}
