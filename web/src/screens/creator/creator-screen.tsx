import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, ExternalLink, Pencil, Trophy } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { CreatorProfile } from '../../../../application/catalogue/contract.js';
import { ApiProblem } from '../../api/transport/http.js';
import { FollowButton } from '../../following/follow-button.js';
import { HeadArt } from '../../packs/head-art.js';
import { PackRow } from '../../packs/pack-row.js';
import { paths } from '../../paths.js';
import { SampleList } from '../../samples/sample-list.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { ButtonLink } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { EmptyState, LoadingText, Skeleton } from '../../ui/states.js';
import { NETWORKS, socialAddress } from '../../creators/social-links.js';

const SAMPLES_SHOWN = 10;
const BROWSE = { to: paths.sounds, label: 'Browse Sounds' };

/** Shown if the profile cannot be loaded, so that the page stays usable. */
function bareProfile(handle: string): CreatorProfile {
  return {
    id: handle || 'unknown',
    handle,
    displayName: handle.replaceAll('_', ' '),
    avatarUrl: null,
    verified: false,
    aiTraining: false,
    bio: 'Music producer.',
    twitter: '',
    instagram: '',
    tiktok: '',
    youtube: '',
    totalSamples: 0,
    totalPacks: 0,
    isTopSeller: false,
    packs: [],
    samples: [],
  };
}

function SocialLinks({ creator }: { creator: CreatorProfile }) {
  return (
    <span className="flex flex-wrap gap-4">
      {NETWORKS.map((network) => {
        const href = socialAddress(network, creator[network.field]);
        return (
          href && (
            <a
              key={network.label}
              href={href}
              target="_blank"
              rel="noreferrer nofollow"
              className="flex items-center gap-1.5 py-1 text-muted no-underline hover:text-text"
            >
              {network.label}
              <ExternalLink size={13} />
            </a>
          )
        );
      })}
    </span>
  );
}

function Head({ creator }: { creator: CreatorProfile }) {
  const { user } = useSession();
  const isOwner = user !== null && user.id === creator.id;
  return (
    <div className="gutter relative flex flex-wrap items-center gap-x-8 gap-y-5 overflow-hidden border-b border-line pt-12 pb-10">
      <HeadArt
        address={creator.packs.find((pack) => pack.artworkUrl)?.artworkUrl}
        className="max-md:hidden!"
      />
      <Avatar name={creator.displayName} url={creator.avatarUrl} size={132} />
      <div className="relative max-w-155 min-w-0 flex-1 basis-80">
        <h1 className="display flex flex-wrap items-center gap-3 text-7xl md:text-8xl">
          <span className="min-w-0 wrap-anywhere">{creator.displayName}</span>
          {creator.verified && <BadgeCheck size={24} aria-label="Verified" />}
          {creator.isTopSeller && (
            <span title="Top seller">
              <Trophy size={24} aria-label="Top seller" className="text-sticker" />
            </span>
          )}
        </h1>
        <p className="mt-3 max-w-[64ch] text-md whitespace-pre-line text-muted">
          {creator.bio.trim() || 'Music producer. View more'}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
          <Badge>{countOf(creator.totalSamples, 'Sample')}</Badge>
          <Badge>{countOf(creator.totalPacks, 'Pack')}</Badge>
          <Badge>{creator.aiTraining ? 'AI training allowed' : 'Not for AI training'}</Badge>
          <SocialLinks creator={creator} />
          <a
            href={`/feeds/creators/${encodeURIComponent(creator.handle)}.atom`}
            className="py-1 text-muted underlined"
          >
            Atom feed
          </a>
        </div>
        <div className="mt-5 empty:hidden">
          {creator.id !== 'unknown' && <FollowButton creator={creator} />}
          {isOwner && (
            <ButtonLink to={paths.dashboardProfile} icon={<Pencil size={16} />}>
              Edit Profile
            </ButtonLink>
          )}
        </div>
      </div>
    </div>
  );
}

export default function CreatorScreen() {
  const { creator: handle = '' } = useParams();
  const { data, error } = useQuery({
    ...query('GET /api/creators/:handle', { params: { handle } }),
    enabled: handle !== '',
  });
  if (handle === '' || (error instanceof ApiProblem && [400, 404, 410].includes(error.status))) {
    return (
      <div className="gutter py-10">
        <PageTitle>Creator not found</PageTitle>
        <EmptyState title="Creator not found" link={BROWSE}>
          The name may have changed, or the account was closed.
        </EmptyState>
      </div>
    );
  }
  if (!data && !error) {
    return (
      <>
        <div className="gutter flex flex-wrap items-center gap-x-8 gap-y-5 border-b border-line pt-12 pb-10">
          <LoadingText>Loading creator profile...</LoadingText>
          <Skeleton className="size-33 rounded-full" />
          <div className="flex-1 basis-80">
            <Skeleton className="h-12 w-80 max-w-full" />
            <Skeleton className="mt-4 h-4 w-60 max-w-full" />
            <Skeleton className="mt-4 h-5 w-40" />
          </div>
        </div>
        <PackRow title="Packs" packs={undefined} />
      </>
    );
  }
  const creator = data ?? bareProfile(handle);
  return (
    <div className="pb-16">
      <PageTitle>{creator.displayName}</PageTitle>
      <Head creator={creator} />
      {creator.packs.length > 0 ? (
        <PackRow title="Packs" packs={creator.packs} />
      ) : (
        <div className="gutter pt-8">
          <EmptyState title="No packs yet" link={BROWSE}>
            New packs appear here as soon as they are published.
          </EmptyState>
        </div>
      )}
      {creator.samples.length > 0 && (
        <Section title="Samples" heading="display mb-3 text-5xl" className="gutter pt-9">
          <SampleList
            samples={creator.samples.slice(0, SAMPLES_SHOWN)}
            place="creator"
            label={`Samples by ${creator.displayName}`}
            headings
          />
        </Section>
      )}
      {data && (
        <p className="gutter pt-8 text-sm text-muted">
          Is something wrong here?{' '}
          <Link to={`/complaint?about=creator:${data.handle}`} className="underlined">
            Complain about {data.displayName}
          </Link>
        </p>
      )}
    </div>
  );
}
