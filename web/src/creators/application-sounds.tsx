import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import {
  APPLICATION_SOUNDS_DAYS,
  APPLICATION_SOUNDS_LIMIT,
  AUDIO_ACCEPT,
  AUDIO_LIMIT_BYTES,
  AUDIO_LIMIT_MIB,
} from '../../../application/publishing/values.js';
import { api, query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { messageOf } from '../api/transport/http.js';
import { Button, IconButton } from '../ui/button.js';
import { useFilePicker } from '../ui/forms/file-picker.js';
import { formatDuration } from '../ui/format.js';
import { Problem } from '../ui/states.js';

const sounds = query('GET /api/creator/application/sounds');

async function send(file: File): Promise<void> {
  if (file.size > AUDIO_LIMIT_BYTES) throw new Error(`is larger than ${AUDIO_LIMIT_MIB} MB`);
  const body = new FormData();
  body.set('audio', file, file.name);
  queryClient.setQueryData(sounds.queryKey, await api('POST /api/creator/application/sounds', { body }));
}

/** The sounds of an application. The browser sends them as soon as the applicant chooses them. */
export function ApplicationSounds({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const { data, error } = useQuery(sounds);
  const [refused, setRefused] = useState<string[]>([]);
  const items = data?.items ?? [];
  const left = APPLICATION_SOUNDS_LIMIT - items.length;
  const adding = useMutation({
    mutationFn: async (files: File[]) => {
      onBusy(true);
      const problems = files
        .slice(left)
        .map(({ name }) => `${name}: only ${APPLICATION_SOUNDS_LIMIT} sounds`);
      for (const file of files.slice(0, left))
        await send(file).catch((error: unknown) => problems.push(`${file.name}: ${messageOf(error)}`));
      setRefused(problems);
    },
    onSettled: () => onBusy(false),
  });
  const removing = useMutation({
    mutationFn: (sampleId: string) =>
      api('DELETE /api/creator/application/sounds/:sampleId', { params: { sampleId } }),
    onSuccess: (answer) => queryClient.setQueryData(sounds.queryKey, answer),
  });
  const { input, open } = useFilePicker({
    label: 'Sounds of your application',
    accept: AUDIO_ACCEPT,
    multiple: true,
    onFiles: (files) => adding.mutate(files),
  });
  const isBusy = adding.isPending || removing.isPending;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1.5 font-semibold">Up to three sounds (optional)</legend>
      <ul className="m-0 grid list-none gap-2 p-0">
        {items.map(({ id, name, durationMs, previewUrl }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border border-line px-3 py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name} <span className="text-muted">{formatDuration(durationMs)}</span>
            </span>
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- A sample has no words to write down. */}
            <audio
              controls
              preload="none"
              src={previewUrl}
              className="order-1 h-9 w-full sm:w-60"
              aria-label={`Preview of ${name}`}
            />
            <IconButton
              label={`Remove ${name}`}
              className="sm:order-2"
              disabled={isBusy}
              onClick={() => removing.mutate(id)}
            >
              <X size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
      {input}
      {left > 0 && data && (
        <Button
          size="small"
          className="not-first:mt-2"
          busy={adding.isPending}
          disabled={isBusy}
          onClick={open}
        >
          {adding.isPending ? 'Sending...' : 'Add sounds'}
        </Button>
      )}
      <p className="mt-2 text-sm text-muted">
        Only our staff hear them. If we decline, or you do not apply, we delete them after{' '}
        {APPLICATION_SOUNDS_DAYS} days.
      </p>
      {refused.length > 0 && (
        <ul role="alert" className="mt-2 grid list-none gap-1 p-0 text-sm text-danger">
          {refused.map((text) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      )}
      <Problem of={error ?? removing.error} className="mt-2 text-sm" />
    </fieldset>
  );
}
