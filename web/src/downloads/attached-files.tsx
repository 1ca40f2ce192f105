import { useMutation } from '@tanstack/react-query';
import { api } from '../api/api.js';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { paths } from '../paths.js';
import { showAlert } from '../ui/overlays/alerts.js';
import type { Go } from './download-alerts.js';
import { deliverInTray } from './deliver.js';

type Kind = 'stems' | 'midi';

async function fetchAttached(sampleId: string, kind: Kind, again: () => void): Promise<void> {
  const { download } = await api(`GET /api/downloads/:sampleId/${kind}`, { params: { sampleId } });
  await deliverInTray(download, { title: download.filename, again });
}

function notifyRefused(error: Error, go: Go): void {
  const needsStudio = error instanceof ApiProblem && error.code === 'StudioPlanRequired';
  void showAlert({
    title: needsStudio ? 'Studio plan required' : 'Download failed',
    message: messageOf(error),
    ...(needsStudio ? { action: { label: 'See plans', onPress: () => go(paths.credits) } } : {}),
  });
}

export function AttachedFiles(props: {
  sampleId: string;
  title: string;
  hasStems: boolean;
  hasMidi: boolean;
  go: Go;
}) {
  const { sampleId, title, hasStems, hasMidi, go } = props;
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (kind: Kind): Promise<void> => fetchAttached(sampleId, kind, () => mutate(kind)),
    onError: (error) => notifyRefused(error, go),
  });
  const kinds: Kind[] = [...(hasStems ? ['stems' as const] : []), ...(hasMidi ? ['midi' as const] : [])];
  if (kinds.length === 0) return null;
  return (
    <>
      {kinds.map((kind) => {
        const label = kind === 'stems' ? 'STEMS' : 'MIDI';
        return (
          <button
            key={kind}
            type="button"
            className="tag cursor-pointer hover:text-text"
            // `disabled` would take the focus away from the button.
            aria-disabled={isPending || undefined}
            aria-busy={(isPending && variables === kind) || undefined}
            aria-label={`Download ${label} of ${title}`}
            title={`Download ${label}`}
            onClick={() => isPending || mutate(kind)}
          >
            {label}
          </button>
        );
      })}
    </>
  );
}
