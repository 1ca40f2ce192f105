import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { AUDIO_ACCEPT } from '../../../application/publishing/values.js';
import type { ComparedFile } from '../../../application/purchases/contract.js';
import { messageOf, requestFile } from '../api/transport/http.js';
import { Button, IconButton } from '../ui/button.js';
import { FileDrop } from '../ui/forms/file-drop.js';
import { formatDuration } from '../ui/format.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { toast } from '../ui/overlays/toast.js';
import { Waveform } from '../ui/sound/waveform.js';
import { Problem } from '../ui/states.js';
import { saveAs } from './deliver.js';
import { NotMeasured, measured } from './measure-audio.js';

const SHOWN_BARS = 50;

/** Reduces a waveform to 50 bars for the screen. Each is the loudest of the bars that it replaces. */
const shownBars = (bars: readonly number[]): number[] =>
  Array.from({ length: SHOWN_BARS }, (_, at) => {
    const bar = (of: number) => Math.floor((of * bars.length) / SHOWN_BARS);
    return Math.max(...bars.slice(bar(at), bar(at + 1)));
  });

function Compared({ file, onRemove }: { file: ComparedFile; onRemove: () => void }) {
  const { name, durationMs, bars } = file;
  return (
    <div className="flex min-h-18 items-center gap-3.5 border border-strong px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{name}</p>
        <p className="text-sm text-muted">{formatDuration(durationMs)}</p>
      </div>
      <Waveform peaks={shownBars(bars)} progress={null} className="h-8 w-37 flex-none max-sm:w-24" />
      <IconButton label="Remove" about={name} onClick={onRemove}>
        <X size={18} />
      </IconButton>
    </div>
  );
}

const problemOf = (error: Error | null): string | undefined =>
  error instanceof NotMeasured ? error.message : error ? messageOf(error) : undefined;

/**
 * Downloads the proof of a licence. The visitor may choose a file, whose waveform the proof shows below the licensed
 * one.
 */
export default function DisputePackDialog(props: {
  certificateId: string;
  title: string;
  onClose: () => void;
}) {
  const { certificateId, title, onClose } = props;
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const reading = useMutation({ mutationFn: measured });
  const compared = reading.data;
  const download = useMutation({
    mutationFn: async (body: { compared?: ComparedFile }) => {
      const path = `/api/certificates/${encodeURIComponent(certificateId)}/dispute-pack`;
      const pack = await requestFile(path, body);
      // Saves nothing if the visitor has closed the dialog meanwhile.
      if (isOpen.current) saveAs(`Offcut dispute pack, ${title}.zip`, pack, 'application/zip');
    },
    onSuccess: () => {
      if (!isOpen.current) return;
      toast({ title: 'Dispute pack saved', description: title });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Dispute pack"
      description={`Proof of your licence for “${title}”, for services and labels that claim your work.`}
      width={520}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            data-autofocus
            busy={download.isPending}
            disabled={reading.isPending}
            onClick={() => download.mutate(compared ? { compared } : {})}
          >
            Download ZIP
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <ul className="list-disc pl-5 text-muted">
          <li>The certificate and the licence text, as PDF</li>
          <li>The hashes of the file and its tagged copies</li>
          <li>Your purchase in our log, signed, as JSON that anyone can check</li>
        </ul>
        <h3 className="mt-2 font-semibold">Compare with your upload (optional)</h3>
        {compared ? (
          <Compared file={compared} onRemove={reading.reset} />
        ) : (
          <FileDrop label="Your upload" accept={AUDIO_ACCEPT} onFile={(file) => reading.mutate(file)}>
            It stays on your device. The PDF shows its waveform below the licensed one.
          </FileDrop>
        )}
        <p role="status" className="text-muted">
          {reading.isPending && `Reading ${reading.variables.name}...`}
        </p>
        <Problem of={problemOf(reading.error) ?? problemOf(download.error)} />
      </div>
    </Dialog>
  );
}
