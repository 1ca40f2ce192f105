import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { playlistUrl } from '../../api/page-settings.js';
import { packPathOf } from '../../paths.js';
import { buttonClass } from '../../ui/button.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';
import { Waveform } from '../../ui/sound/waveform.js';

const SEARCH_URL = 'https://open.spotify.com/search/offcut';

/**
 * Shows three trending samples.
 * @param shown packs whose covers the page already shows; samples of other packs come first
 */
export function Credited({ shown }: { shown: readonly { id: string }[] }) {
  const { data } = useQuery(query('GET /api/discover'));
  const playlist = playlistUrl();
  const heard = data?.trending.filter((sample) => sample.previewUrl) ?? [];
  // One sample per pack, so that the three covers differ.
  const ofPacks = [...new Map(heard.map((sample) => [sample.pack.id, sample])).values()];
  const isShown = (sample: (typeof ofPacks)[number]) => shown.some(({ id }) => id === sample.pack.id);
  const taken = ofPacks.toSorted((one, other) => Number(isShown(one)) - Number(isShown(other))).slice(0, 3);
  return (
    <section
      aria-labelledby="credited"
      className="home-gutter [--focus:var(--on-sticker)] [--wave:var(--on-sticker)] mt-16 grid grid-cols-1 gap-8 bg-sticker py-16 text-on-sticker lg:grid-cols-[minmax(300px,1fr)_1.56fr] lg:gap-12"
    >
      <div>
        <h2 id="credited" className="display text-5xl md:text-8xl">
          Take one home, <br />
          credit the scraps
        </h2>
        <p className="mt-5 mb-6 max-w-[42ch] text-md">
          Three of the sounds that are downloaded most right now. A record that starts with one of them may
          credit it next to the song.
        </p>
        <a
          href={playlist || SEARCH_URL}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ tone: 'invert' })}
        >
          <ExternalLink size={16} />
          {playlist ? 'Listen to the playlist' : 'Find us on Spotify'}
        </a>
      </div>
      <ul className="min-w-0 border-t-2 border-on-sticker">
        {taken.map((sample) => (
          <li key={sample.id} className="flex h-23.5 items-center gap-6 border-b-2 border-on-sticker">
            <span className="w-16 flex-none">
              <Cover {...coverOf(sample)} size="small" sizes="64px" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="display block truncate text-2xl">{sample.title}</span>
              <span className="block truncate text-sm">{sample.creator.displayName}</span>
            </span>
            <Waveform
              peaks={sample.waveform}
              progress={null}
              className="h-9 w-27.5 cursor-default md:w-62.5 lg:w-27.5 xl:w-62.5"
            />
            <span className="w-47.5 flex-none text-sm max-md:hidden">
              cut from
              <Link
                to={packPathOf(sample)}
                className="block truncate font-semibold no-underline hover:underline"
              >
                {sample.pack.title}
              </Link>
              {sample.genre}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
