import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { api } from '../../../api/api.js';
import { sendOnce } from '../../../api/transport/idempotency-key.js';
import { paths } from '../../../paths.js';
import { Button } from '../../../ui/button.js';
import { formatDay, formatTime } from '../../../ui/format.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { ShareLink } from '../../../ui/share-link.js';
import { writePack } from '../write-pack.js';

/** The path of a pack's preview. It is not in `paths`, because the first load of every page contains `paths`. */
const previewPath = (token: string): string => `/preview/${encodeURIComponent(token)}`;

async function openPreview({ id }: OwnPack): Promise<void> {
  // Opens the tab at once, because browsers block a tab that opens only after the server's answer.
  const tab = window.open('', '_blank');
  if (!tab) return toast({ title: 'The browser blocked the preview. Allow pop-ups of this site.' });
  try {
    const { token } = await api('PUT /api/creator/packs/:id/preview-link', { params: { id } });
    tab.location.replace(`${window.location.origin}${previewPath(token)}`);
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** A button that opens a preview of an unreleased pack's page in another tab. */
export function PreviewButton({ pack }: { pack: OwnPack }) {
  const show = useMutation({
    mutationFn: () => sendOnce(`preview ${pack.id}`, () => openPreview(pack)),
    onError: notifyError,
  });
  return (
    <Button size="small" icon={<Eye size={16} />} busy={show.isPending} onClick={() => show.mutate()}>
      Preview its page
    </Button>
  );
}

/** The secret link to the page of a pack before its release. */
function PreviewLink({ pack: { id } }: { pack: OwnPack }) {
  const [token, setToken] = useState<string | null>(null);
  const link = { params: { id } };
  const preview = async () => setToken((await api('PUT /api/creator/packs/:id/preview-link', link)).token);
  const end = async () => {
    await api('DELETE /api/creator/packs/:id/preview-link', link);
    setToken(null);
    toast({ title: 'The preview link has ended' });
  };
  const show = useMutation({ mutationFn: () => sendOnce(`show ${id}`, preview), onError: notifyError });
  if (token === null)
    return (
      <Button
        size="small"
        tone="quiet"
        icon={<Eye size={16} />}
        busy={show.isPending}
        onClick={() => show.mutate()}
      >
        Preview
      </Button>
    );
  return (
    <div className="max-w-135">
      <ShareLink url={`${window.location.origin}${previewPath(token)}`} create={preview} end={end}>
        <p className="mt-2 text-sm text-muted">
          Everyone with this link can hear the pack before its release.{' '}
          <Link to={previewPath(token)} target="_blank" className="underlined">
            Open the preview
          </Link>
        </p>
      </ShareLink>
    </div>
  );
}

/** Shows the release date of an unreleased pack, if it has one, and the secret link to its preview. */
export default function ReleaseLine({ pack }: { pack: OwnPack }) {
  const { id, slug, releaseAt, creatorHandle } = pack;
  const cancel = useMutation({
    mutationFn: () =>
      writePack(slug, (ifMatch) => api('DELETE /api/creator/packs/:id/release', { params: { id }, ifMatch })),
    onSuccess: (changed) => changed && toast({ title: 'The release was taken back' }),
    onError: notifyError,
  });
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-2.5">
        {releaseAt && (
          <>
            <p className="font-semibold">
              Out on {formatDay(releaseAt)}, {formatTime(releaseAt)}.{' '}
              <Link to={paths.pack({ slug, creator: creatorHandle })} className="underlined font-normal">
                View its page
              </Link>
            </p>
            <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel Release
            </Button>
          </>
        )}
        <PreviewLink pack={pack} />
      </div>
    </div>
  );
}
