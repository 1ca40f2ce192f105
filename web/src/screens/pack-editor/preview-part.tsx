import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PREVIEW_LIMIT_SECONDS } from '../../../../application/catalogue/values.js';
import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import { api, query } from '../../api/api.js';
import { packsChanged } from '../../api/changes.js';
import { Button } from '../../ui/button.js';
import { formatDuration } from '../../ui/format.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { barsPath } from '../../ui/sound/waveform.js';
import { putSample } from './sample-files.js';
import { replacedIn, write } from './write-pack.js';

const PREVIEW_MS = PREVIEW_LIMIT_SECONDS * 1_000;
const BARS = 400;

/** The step of the slider in milliseconds: a bar of four beats, or a second if the tempo is unknown. */
const stepOf = ({ bpm }: OwnSample): number => (bpm > 0 ? 240_000 / bpm : 1_000);

/** Chooses which minute of a longer sound listeners hear. The former preview stays until the new one is made. */
export function PreviewPart({ pack, sample }: { pack: OwnPack; sample: OwnSample }) {
  const { durationMs, previewStartMs } = sample;
  const latestMs = durationMs - PREVIEW_MS;
  const stepMs = stepOf(sample);
  const lastStep = Math.ceil(latestMs / stepMs);
  const [chosenMs, setChosenMs] = useState(previewStartMs);
  const sent = useRef<string | null>(null);
  const params = { id: pack.id, sampleId: sample.id };
  const overview = useQuery(query('GET /api/creator/packs/:id/samples/:sampleId/waveform', { params }));
  const choosing = useMutation({
    mutationFn: (startMs: number) =>
      write(
        pack.slug,
        (ifMatch) =>
          api('PUT /api/creator/packs/:id/samples/:sampleId/preview', { params, body: { startMs }, ifMatch }),
        { replaces: replacedIn(sample.id, { previewStartMs: 0 }) },
      ),
    onSuccess: (answer) => {
      if (!answer) return;
      putSample(pack.slug, answer);
      packsChanged();
      toast({ title: 'The preview has another part now' });
    },
    onError: (error) => {
      sent.current = null;
      notifyError(error);
    },
  });
  const percentOf = (ms: number) => (ms / durationMs) * 100;
  const end = formatDuration(chosenMs + PREVIEW_MS);
  return (
    <fieldset className="mb-6 grid gap-2">
      <legend className="mb-2 font-semibold">Preview</legend>
      <div className="relative h-16">
        <svg
          viewBox={`0 0 ${BARS} 40`}
          preserveAspectRatio="none"
          className={`size-full ${overview.data ? 'text-muted' : 'skeleton'}`}
          aria-hidden="true"
        >
          {overview.data && (
            <path
              fill="currentColor"
              d={barsPath(overview.data.bars, { bars: BARS, fill: 0.7, minHeight: 1 })}
            />
          )}
        </svg>
        <input
          type="range"
          aria-label="Start of the preview"
          aria-valuetext={`${formatDuration(chosenMs)} to ${end}`}
          className="peer absolute inset-0 size-full cursor-ew-resize opacity-0"
          min={0}
          max={lastStep}
          step={1}
          value={Math.round(chosenMs / stepMs)}
          onChange={({ target }) =>
            setChosenMs(Math.min(latestMs, Math.round(Number(target.value) * stepMs)))
          }
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 border-2 border-accent bg-accent/15 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--focus)"
          style={{ left: `${percentOf(chosenMs)}%`, width: `${percentOf(PREVIEW_MS)}%` }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 text-sm text-muted">
          Listeners hear {formatDuration(chosenMs)} to {end}.
        </p>
        <Button
          busy={choosing.isPending}
          disabled={chosenMs === previewStartMs}
          onClick={() => {
            // Ignores a second press for the same change. The second press may come before React renders the busy
            // button or the answer.
            const change = `${previewStartMs} to ${chosenMs}`;
            if (sent.current === change) return;
            sent.current = change;
            choosing.mutate(chosenMs);
          }}
        >
          Use this part
        </Button>
      </div>
    </fieldset>
  );
}
