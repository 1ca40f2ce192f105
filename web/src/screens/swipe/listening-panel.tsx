import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { query } from '../../api/api.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { ButtonLink } from '../../ui/button.js';
import { Cover } from '../../ui/sound/cover.js';
import { formatAgo } from '../../ui/format.js';

const SHOWN = 3;

interface Entry {
  id: string;
  title: string;
  by: string;
  artworkUrl: string | null;
  at: string;
}

function Entries({ title, entries, empty }: { title: string; entries: readonly Entry[]; empty: string }) {
  return (
    <section aria-label={title} className="mb-9">
      <h2 className="display mb-4 text-3xl">{title}</h2>
      {entries.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="list-none p-0">
        {entries.map((entry) => (
          <li key={`${entry.id}-${entry.at}`} className="flex h-19 items-center gap-3.5 border-b border-line">
            <span className="w-13 flex-none">
              <Cover title={entry.title} genre="" artworkUrl={entry.artworkUrl} size="small" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{entry.title}</span>
              <span className="block truncate text-sm text-muted">{entry.by}</span>
            </span>
            <time
              className="text-sm text-faint"
              dateTime={entry.at}
              title={new Date(entry.at).toLocaleString('en-GB')}
            >
              {formatAgo(entry.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function SidePanel() {
  const signedIn = useSession().status === 'signed-in';
  const history = useQuery({ ...query('GET /api/library/history'), enabled: signedIn });
  const saved = useQuery({
    ...query('GET /api/library/saved', { query: { limit: SHOWN } }),
    enabled: signedIn,
  });
  const heard = (history.data?.items ?? []).slice(0, SHOWN).map((entry) => ({
    id: entry.id,
    title: entry.title,
    by: entry.artist,
    artworkUrl: entry.artwork ?? null,
    at: entry.timestamp,
  }));
  const kept = (saved.data?.items ?? []).slice(0, SHOWN).map(({ id, item, sample, createdAt }) => ({
    id,
    title: sample?.title ?? item.title ?? item.name ?? id,
    by: sample?.creator.displayName ?? item.artist ?? item.creator ?? '',
    artworkUrl: sample?.artworkUrl ?? item.artwork ?? null,
    at: createdAt,
  }));
  return (
    <aside className="max-[1240px]:hidden" aria-label="Recent">
      <Entries
        title="Recently listened to"
        entries={heard}
        empty={signedIn ? 'Nothing heard yet.' : 'Sign in to keep what you hear here.'}
      />
      <Entries
        title="Recent Saves"
        entries={kept}
        empty={signedIn ? 'Nothing saved yet.' : 'Sign in to save what you like.'}
      />
      <ButtonLink to={paths.librarySaved} className="w-full" icon={<Bookmark size={16} />}>
        Open library
      </ButtonLink>
    </aside>
  );
}
