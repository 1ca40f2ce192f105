import { useMutation } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { OwnPack, OwnPackCard } from '../../../../application/publishing/contract.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';
import { publish, type RefusedSample, unpublish } from './pack-actions.js';
import { useCoverPicker } from './cover-picker.js';
import { type Saving, SaveButton } from './saving.js';
import { reloadPack } from './write-pack.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// These parts load on demand, because each is needed only after a press or for some packs.
const RefusedRecording = lazyWithPreload(() =>
  import('../../creators/own-copies.js').then((module) => module && { default: module.RefusedRecording }),
);
const PublishDialog = lazyWithPreload(() => import('./release/publish-dialog.js'));
const ReleaseLine = lazyWithPreload(() => import('./release/release-line.js'));
const OwnCopies = lazyWithPreload(() => import('../../creators/own-copies.js'));

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

function CoverButton({ pack, full }: { pack: OwnPackCard; full: OwnPack | undefined }) {
  const { input, open, isPending } = useCoverPicker(full);
  return (
    <div className="group relative size-38 flex-none">
      <Cover {...coverOf(pack)} sizes="152px" labelled eager />
      {input}
      <Button
        size="small"
        tone="quiet"
        busy={isPending}
        disabled={!full}
        className="absolute inset-x-1.5 bottom-1.5 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 aria-busy:opacity-100 [@media(hover:none)]:opacity-100"
        icon={<ImageUp size={15} />}
        onClick={open}
      >
        Change cover
      </Button>
    </div>
  );
}

const isPublished = ({ status }: OwnPackCard) => status === 'published';
const isTakenDown = ({ status }: OwnPackCard) => status === 'taken_down';
const statusText = (pack: OwnPackCard) => (isPublished(pack) ? 'Published' : 'Unpublished');

function Facts({ pack, sampleCount }: { pack: OwnPackCard; sampleCount: number }) {
  const facts = [
    ['Total Samples', sampleCount.toLocaleString('en')],
    ['Downloads', pack.downloads.toLocaleString('en')],
    ['Status', statusText(pack)],
    ['Created', DAY.format(new Date(pack.createdAt))],
  ] as const;
  return (
    <dl className="mt-3.5 flex flex-wrap gap-y-2.5 max-sm:justify-between max-sm:text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="sm:pr-6 sm:not-first:border-l sm:not-first:border-line sm:not-first:pl-6">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-md font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions(props: {
  pack: OwnPack;
  creatorName: string;
  /** Null while the grid is open, which has its own button to save. */
  saving: Saving | null;
  onRefused: (sample: RefusedSample | null) => void;
}) {
  const { pack, creatorName, saving, onRefused } = props;
  const [isPublishing, setPublishing] = useState(false);
  const change = useMutation({
    mutationFn: async () => (isPublished(pack) ? void (await unpublish(pack)) : publish(pack)),
    onSuccess: (refused) => onRefused(refused ?? null),
  });
  return (
    <div className="flex flex-wrap gap-2.5">
      {saving && <SaveButton {...saving} />}
      {isPublished(pack) && (
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          Unpublish
        </Button>
      )}
      {(pack.status === 'draft' || pack.status === 'unpublished') && (
        <Button
          tone="primary"
          busy={change.isPending}
          onClick={() => (pack.samples.length === 0 ? change.mutate() : setPublishing(true))}
        >
          Publish Pack
        </Button>
      )}
      <Suspense>
        {isPublishing && (
          <PublishDialog
            pack={pack}
            creatorName={creatorName}
            publish={change.mutateAsync}
            onClose={() => setPublishing(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

export function EditorHead(props: {
  pack: OwnPackCard;
  /** The pack with its samples, once loaded. */
  full: OwnPack | undefined;
  creatorName: string;
  saving: Saving | null;
}) {
  const { pack, full, creatorName, saving } = props;
  const [refused, setRefused] = useState<RefusedSample | null>(null);
  const claimed = () => {
    setRefused(null);
    // Reloads the pack, because the claim changed the status of the sample to "held".
    void reloadPack(pack.slug).catch(() => undefined);
  };
  const publicPath = paths.pack({ slug: pack.slug, creator: pack.creatorHandle });
  return (
    <header>
      <nav aria-label="Breadcrumb" className="flex flex-wrap gap-2 text-sm text-muted">
        <Link to={paths.dashboard} className="no-underline hover:text-text">
          <span aria-hidden="true">← </span>Creator Dashboard
        </Link>
        <span aria-hidden="true">/</span>
        <span aria-current="page" className="min-w-0 text-text wrap-anywhere">
          {pack.title}
        </span>
      </nav>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-4">
        <CoverButton pack={pack} full={full} />
        <div className="min-w-0 flex-[1_1_320px]">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
              <h1 className="display text-7xl wrap-anywhere">{pack.title}</h1>
              <Badge tone={isPublished(pack) ? 'ok' : isTakenDown(pack) ? 'danger' : 'neutral'}>
                {isTakenDown(pack) ? 'Taken down' : statusText(pack)}
              </Badge>
            </div>
            {full && !isTakenDown(full) && (
              <Actions pack={full} {...{ creatorName, saving }} onRefused={setRefused} />
            )}
          </div>
          <p className="mt-2 text-md text-muted wrap-anywhere">
            {creatorName} · {pack.genre} · {pack.mood}
            {isPublished(pack) && (
              <>
                {' · '}
                <Link to={publicPath} className="underlined">
                  View public page
                </Link>
              </>
            )}
          </p>
          {pack.description && (
            <p className="mt-1 max-w-[76ch] text-muted wrap-anywhere">{pack.description}</p>
          )}
          <Suspense>
            {full && (full.status === 'draft' || full.status === 'unpublished') && (
              <ReleaseLine pack={full} />
            )}
          </Suspense>
          {isTakenDown(pack) && (
            <p className="mt-2 border-l-3 border-danger pl-3 text-danger">
              Taken down{pack.takedownReason ? `: ${pack.takedownReason}` : '.'}
            </p>
          )}
          <Facts pack={pack} sampleCount={full ? full.samples.length : pack.sampleCount} />
        </div>
      </div>
      <Suspense>
        {refused && <RefusedRecording {...refused} onSaid={claimed} />}
        {full?.samples.some(({ status }) => status !== 'free') && (
          <OwnCopies packId={full.id} className="mt-6" />
        )}
      </Suspense>
    </header>
  );
}
