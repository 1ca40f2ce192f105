import { Link } from 'react-router-dom';
import type { HomePage } from '../../../../application/catalogue/contract.js';
import { useStrip } from '../../packs/pack-row.js';
import { paths } from '../../paths.js';
import { Avatar } from '../../ui/avatar.js';
import { countOf } from '../../ui/format.js';

/** Creators by downloads, in a strip that scrolls by 300 px. */
export function TopCreators({ creators }: { creators: HomePage['topCreators'] | undefined }) {
  const { strip, arrows } = useStrip();
  return (
    <section aria-labelledby="top-creators" className="pt-10">
      <div className="home-gutter mb-5 flex items-center gap-3">
        <h2 id="top-creators" className="display text-3xl">
          Top Creators
        </h2>
        <p className="text-sm text-muted">by downloads</p>
        <span className="flex-1" />
        <span className="flex gap-3 max-md:hidden">{arrows('Top Creators')}</span>
      </div>
      <div ref={strip} className="home-gutter no-scrollbar flex gap-3 overflow-x-auto py-1">
        {(creators ?? Array.from({ length: 5 }, () => null)).map((creator, index) =>
          creator ? (
            <Link
              key={creator.id}
              to={paths.creator(creator.handle)}
              className="panel flex h-21.5 w-65.5 flex-none items-center gap-4 px-4 no-underline hover:bg-hover"
            >
              <span className="display text-2xl text-faint">{index + 1}</span>
              <Avatar name={creator.displayName} url={creator.avatarUrl} size={54} />
              <span className="min-w-0">
                <span className="block truncate text-md font-semibold">{creator.displayName}</span>
                <span className="block truncate text-sm text-muted">
                  {countOf(creator.downloads, 'download')}
                </span>
              </span>
            </Link>
          ) : (
            <span key={index} className="panel h-21.5 w-65.5 flex-none" aria-hidden="true" />
          ),
        )}
      </div>
    </section>
  );
}
