import { clsx } from 'clsx';
import { BadgeCheck, Bookmark, Check, Download, Link as LinkIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { PackDetail } from '../../../../application/catalogue/contract.js';
import { PACK_COVER_SIZES } from '../../../../application/media/values.js';
import { HeadArt } from '../../packs/head-art.js';
import { useOwnedAmong } from '../../downloads/owned.js';
import { useDownload } from '../../downloads/use-download.js';
import { paths } from '../../paths.js';
import { usePackSave } from '../../samples/saved-packs.js';
import { useSession } from '../../session/session.js';
import { Avatar } from '../../ui/avatar.js';
import { Sticker } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { copyText } from '../../ui/hooks/use-copy.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';
import { countOf } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';

function Actions({ pack }: { pack: PackDetail }) {
  const { downloadPack } = useDownload();
  const { saved, busy, toggle } = usePackSave(pack);
  const userId = useSession().user?.id;
  const wanted = pack.samples.filter((sample) => sample.previewUrl);
  const ownedIds = new Set(useOwnedAmong(wanted).map(({ id }) => id));
  const owned = wanted.length > 0 && ownedIds.size === wanted.length;
  // The creator's own samples and samples that were bought before are free.
  const costCredits = wanted
    .filter(({ id, creator }) => !ownedIds.has(id) && creator.id !== userId)
    .reduce((sum, { creditCost }) => sum + creditCost, 0);
  const Icon = owned ? Check : Download;
  const copy = () =>
    void copyText(window.location.origin + window.location.pathname).then(
      () => toast({ title: 'Link copied' }),
      () => toast({ title: 'Error', description: 'The link could not be copied.', tone: 'danger' }),
    );
  return (
    <div className="mt-3.5 flex flex-wrap gap-2 *:min-h-12 *:gap-2.25 *:px-3.5 md:mt-5 md:gap-3 md:*:min-h-11 md:*:px-4">
      <Button
        tone={owned ? 'owned' : 'primary'}
        className="max-md:flex-1 max-md:text-lg"
        disabled={pack.samples.length === 0}
        icon={<Icon size={17} />}
        onClick={() => downloadPack(pack)}
      >
        Download pack
        <Sticker
          tone={owned || pack.samples.length === 0 ? 'owned' : 'ink'}
          label={owned ? 'Owned' : countOf(costCredits, 'credit')}
        >
          {costCredits.toLocaleString('en')}
        </Sticker>
      </Button>
      <Button
        aria-pressed={saved}
        aria-label={saved ? 'Saved' : 'Save'}
        busy={busy}
        icon={<Bookmark size={17} className={saved ? 'fill-mark text-mark' : undefined} />}
        onClick={toggle}
      >
        <span className="max-md:hidden">{saved ? 'Saved' : 'Save'}</span>
      </Button>
      <Button aria-label="Copy link" icon={<LinkIcon size={17} />} onClick={copy}>
        <span className="max-lg:hidden">Copy link</span>
      </Button>
    </div>
  );
}

/** Selects the font size of a name: long names are smaller, so that the samples stay visible. */
function nameLength(title: string): 'medium' | 'very' | undefined {
  if (title.length > 56) return 'very';
  return title.length > 28 ? 'medium' : undefined;
}

/** The classes of the head, and of its placeholder while the pack loads. */
export const PACK_HEAD =
  'gutter relative flex items-start gap-8 border-b border-line pt-4.25 pb-6 max-md:block max-md:border-b-0 max-md:pt-0 max-md:pb-4';

/** The top of a pack's page. Behind the text, the artwork is shown enlarged, with a diagonal edge. */
export function PackHead({ pack }: { pack: PackDetail }) {
  return (
    <div className={PACK_HEAD}>
      <HeadArt address={pack.artworkUrl} />
      <Cover
        {...coverOf(pack)}
        sizes={PACK_COVER_SIZES}
        className={clsx('w-62 flex-none max-md:mt-4', pack.artworkUrl && 'max-md:hidden')}
        labelled
        eager
      />
      <div className="relative z-1 max-w-155 min-w-0 flex-1">
        <h1 className="display pack-name" data-long={nameLength(pack.title)}>
          {pack.title}
        </h1>
        <p className="mt-3.5 flex flex-wrap items-center gap-y-2 text-md [clip-path:inset(-6px)] md:mt-5">
          <span className="flex min-w-0 items-center gap-2 md:mr-7.25 md:gap-3">
            <Avatar name={pack.creator.displayName} url={pack.creator.avatarUrl} size={28} />
            <Link
              to={paths.creator(pack.creator.handle)}
              className="underlined min-w-0 font-semibold wrap-anywhere"
            >
              {pack.creator.displayName}
            </Link>
            {pack.creator.verified && <BadgeCheck size={16} aria-label="Verified" className="flex-none" />}
          </span>
          <span className="pack-facts flex flex-wrap max-md:basis-full max-md:text-muted md:-ml-7.25">
            <span>{countOf(pack.sampleCount, 'sample')}</span>
            <span>{pack.genre}</span>
            <span>{pack.mood}</span>
            <span>{pack.creator.aiTraining ? 'AI training allowed' : 'Not for AI training'}</span>
          </span>
        </p>
        {pack.description && (
          <p className="mt-3 max-w-135 text-md leading-[1.47] text-muted max-md:hidden">{pack.description}</p>
        )}
        <Actions pack={pack} />
      </div>
    </div>
  );
}
