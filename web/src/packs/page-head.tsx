import './page-head.css';
import { clsx } from 'clsx';
import { ArrowLeft, BadgeCheck, Bookmark, Check, Code, Download, Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PackCard } from '../../../application/catalogue/contract.js';
import { PACK_COVER_SIZES } from '../../../application/media/values.js';
import { embedCode, type Embeddable } from '../../../application/pages/values.js';
import { paths } from '../paths.js';
import { Avatar } from '../ui/avatar.js';
import { PageTitle } from '../shell/page-frame.js';
import { Sticker } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { copyText } from '../ui/hooks/use-copy.js';
import { toast } from '../ui/overlays/toast.js';
import { Cover } from '../ui/sound/cover.js';
import { EmptyState, Skeleton } from '../ui/states.js';
import { HeadArt } from './head-art.js';

export const BROWSE = { to: paths.sounds, label: 'Browse Sounds' };

/** The classes of the head, and of its placeholder while the page loads. */
const HEAD =
  'gutter relative flex items-start gap-8 border-b border-line pt-4.25 pb-6 max-md:block max-md:border-b-0 max-md:pt-0 max-md:pb-4';

/** Selects the font size of a name: long names are smaller, so that the samples stay visible. */
function nameLength(title: string): 'medium' | 'very' | undefined {
  if (title.length > 56) return 'very';
  return title.length > 28 ? 'medium' : undefined;
}

const copyThe = (what: 'link' | 'embed code', text: string) =>
  void copyText(text).then(
    () => toast({ title: what === 'link' ? 'Link copied' : 'Embed code copied' }),
    () => toast({ title: 'Error', description: `The ${what} could not be copied.`, tone: 'danger' }),
  );

/** The row of buttons in a head. The last two copy the page's address, and the HTML of its player for other sites. */
export const HeadActions = ({ embed, children }: { embed: Embeddable; children: ReactNode }) => (
  <div className="mt-3.5 flex flex-wrap gap-2 *:min-h-12 *:gap-2.25 *:px-3.5 md:mt-5 md:gap-3 md:*:min-h-11 md:*:px-4">
    {children}
    <Button
      aria-label="Copy link"
      title="Copy link"
      icon={<LinkIcon size={17} />}
      onClick={() => copyThe('link', window.location.origin + window.location.pathname)}
    />
    <Button
      aria-label="Copy embed code"
      title="Copy embed code"
      className="max-md:hidden"
      icon={<Code size={17} />}
      onClick={() => copyThe('embed code', embedCode(embed, window.location.origin).html)}
    />
  </div>
);

export function HeadDownload(props: {
  owned: boolean;
  costCredits: number;
  disabled: boolean;
  onClick: () => void;
  children: string;
}) {
  const { owned, costCredits, disabled, onClick, children } = props;
  const Icon = owned ? Check : Download;
  return (
    <Button
      tone={owned ? 'owned' : 'primary'}
      className="max-md:basis-full max-md:text-lg"
      disabled={disabled}
      icon={<Icon size={17} />}
      onClick={onClick}
    >
      {children}
      <Sticker
        tone={owned || disabled ? 'owned' : 'ink'}
        label={owned ? 'Owned' : countOf(costCredits, 'credit')}
      >
        {costCredits.toLocaleString('en')}
      </Sticker>
    </Button>
  );
}

export const HeadSave = ({ saved, busy, toggle }: { saved: boolean; busy: boolean; toggle: () => void }) => (
  <Button
    aria-pressed={saved}
    aria-label={saved ? 'Saved' : 'Save'}
    busy={busy}
    icon={<Bookmark size={17} className={saved ? 'fill-mark text-mark' : undefined} />}
    onClick={toggle}
  >
    <span className="max-md:hidden">{saved ? 'Saved' : 'Save'}</span>
  </Button>
);

/** The top of the page of a pack or sample. Behind the text, the artwork is shown enlarged, with a diagonal edge. */
export function PageHead(props: {
  title: string;
  cover: { title: string; genre: string; artworkUrl: string | null };
  creator: PackCard['creator'];
  facts: readonly ReactNode[];
  children: ReactNode;
}) {
  const { title, cover, creator, facts, children } = props;
  return (
    <div className={HEAD}>
      <HeadArt address={cover.artworkUrl} />
      <Cover
        {...cover}
        sizes={PACK_COVER_SIZES}
        className={clsx('w-62 flex-none max-md:mt-4', cover.artworkUrl && 'max-md:hidden')}
        labelled
        eager
      />
      <div className="relative z-1 max-w-155 min-w-0 flex-1">
        <h1 className="display pack-name" data-long={nameLength(title)}>
          {title}
        </h1>
        <p className="mt-3.5 flex flex-wrap items-center gap-y-2 text-md [clip-path:inset(-6px)] md:mt-5">
          <span className="flex min-w-0 items-center gap-2 md:mr-7.25 md:gap-3">
            <Avatar name={creator.displayName} url={creator.avatarUrl} size={28} />
            <Link
              to={paths.creator(creator.handle)}
              className="underlined min-w-0 font-semibold wrap-anywhere"
            >
              {creator.displayName}
            </Link>
            {creator.verified && <BadgeCheck size={16} aria-label="Verified" className="flex-none" />}
          </span>
          <span className="pack-facts flex flex-wrap max-md:basis-full max-md:text-muted md:-ml-7.25">
            {facts.map((fact, index) => (
              <span key={index}>{fact}</span>
            ))}
          </span>
        </p>
        {children}
      </div>
    </div>
  );
}

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Link
    to={to}
    className="touchable relative z-2 mx-(--gutter) mt-3.25 inline-flex h-7 items-center gap-2.5 text-muted no-underline hover:text-text max-md:absolute max-md:top-3 max-md:left-3 max-md:m-0 max-md:size-11 max-md:justify-center max-md:bg-page max-md:text-text"
  >
    <ArrowLeft size={16} />
    <span className="max-md:sr-only">{children}</span>
  </Link>
);

/** Replaces the page of a pack or sample that is gone. */
export const Gone = (props: { title: string; children: string; more?: ReactNode }) => (
  <div className="gutter py-10">
    <PageTitle>{props.title}</PageTitle>
    <EmptyState title={props.title} link={BROWSE}>
      {props.children}
    </EmptyState>
    {props.more}
  </div>
);

export const PageHeadSkeleton = () => (
  <div className={HEAD}>
    <Skeleton className="pack-art md:hidden" />
    <Skeleton className="skeleton-cover aspect-square w-62 flex-none max-md:hidden" />
    <div className="flex-1 pt-2 max-md:pt-5">
      <Skeleton className="h-16 w-3/5 max-md:h-12 max-md:w-4/5" />
      <Skeleton className="mt-5 h-5 w-2/5" />
      <Skeleton className="mt-12 h-11 w-80 max-w-full" />
    </div>
  </div>
);
