import { BadgeCheck, CircleX, FileQuestionMark } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AUDIO_ACCEPT } from '../../../../application/publishing/values.js';
import type { Certificate, CertifiedCopy } from '../../../../application/purchases/contract.js';
import { CHECKED_LIMIT_MB } from '../../../../application/purchases/values.js';
import { Button } from '../../ui/button.js';
import { FileDrop } from '../../ui/forms/file-drop.js';
import { formatDay } from '../../ui/format.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { Problem } from '../../ui/states.js';

/** A valid certificate, with the tagged copies that were made from its file. */
export interface Certified {
  certificate: Certificate;
  copies: readonly CertifiedCopy[];
}

const LIMIT_BYTES = CHECKED_LIMIT_MB * 1_000_000;

type Check =
  | { state: 'reading'; name: string; share: number }
  | { state: 'read'; name: string; sha256: string }
  | { state: 'failed'; problem: string };

/** Hashes one file at a time. A new file, `cancel` or leaving the page stops the current hashing. */
function useFileHash() {
  const [check, setCheck] = useState<Check>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const take = async (file: File) => {
    running.current?.abort();
    const { name, size } = file;
    if (size === 0) return setCheck({ state: 'failed', problem: 'The file is empty.' });
    if (size > LIMIT_BYTES)
      return setCheck({ state: 'failed', problem: `The file is too large: at most ${CHECKED_LIMIT_MB} MB.` });
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (next: Check) => !signal.aborted && setCheck(next);
    const onProgress = (share: number) => show({ state: 'reading', name, share });
    onProgress(0);
    try {
      const { sha256Of } = await import('../../folder/file-hash.js');
      show({ state: 'read', name, sha256: await sha256Of(file, { signal, onProgress }) });
    } catch {
      show({ state: 'failed', problem: 'The file could not be read.' });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setCheck(undefined);
  };
  return { check, take, cancel };
}

interface Finding {
  icon: ReactNode;
  edge: string;
  title: string;
  text?: string;
}

function findingOn(sha256: string, known: Certified | undefined): Finding {
  if (!known)
    return {
      icon: <FileQuestionMark size={20} className="text-info" />,
      edge: 'border-l-info',
      title: 'Now add its certificate',
      text: 'Enter the certificate id, or give the certificate as JSON. Without it we do not say what a file is.',
    };
  const { id, fileSha256 } = known.certificate;
  const found = { icon: <BadgeCheck size={20} className="text-ok" />, edge: 'border-l-ok' };
  if (sha256 === fileSha256) return { ...found, title: `This is the file that certificate ${id} covers.` };
  const copy = known.copies.find((each) => each.sha256 === sha256);
  if (copy)
    return {
      ...found,
      title: `This is a tagged copy of the file that certificate ${id} covers.`,
      text: `Offcut made it on ${formatDay(copy.madeAt)}. The sound is the same, with tempo, key and licence added.`,
    };
  return {
    icon: <CircleX size={20} className="text-danger" />,
    edge: 'border-l-danger',
    title: 'This file is not the one the certificate covers.',
    text: 'A file that was converted, cut or saved again by a program is another file, even if it sounds the same.',
  };
}

/** Compares an audio file with a certificate. The file and its hash stay in the browser. */
export function AudioCheck({ known }: { known: Certified | undefined }) {
  const { check, take, cancel } = useFileHash();
  const finding = check?.state === 'read' ? findingOn(check.sha256, known) : undefined;
  return (
    <section aria-labelledby="audio-check" className="grid gap-3">
      <h2 id="audio-check" className="text-lg font-semibold">
        Check an audio file
      </h2>
      <FileDrop label="Audio file" accept={AUDIO_ACCEPT} onFile={(file) => void take(file)}>
        It stays on your device.
      </FileDrop>
      {check?.state === 'reading' && (
        <div className="flex items-center gap-3">
          <span className="min-w-0 max-w-60 truncate">{check.name}</span>
          <ProgressBar label={`Reading ${check.name}`} share={check.share} />
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      <Problem of={check?.state === 'failed' ? check.problem : undefined} />
      <div role="status">
        {check?.state === 'read' && finding && (
          <div className={`panel border-l-3 p-5 ${finding.edge}`}>
            <p className="flex items-start gap-2.5 text-lg font-semibold wrap-anywhere">
              <span className="mt-1 flex-none">{finding.icon}</span>
              {finding.title}
            </p>
            {finding.text && <p className="mt-1.5 text-muted">{finding.text}</p>}
            <dl className="mt-4 grid gap-x-6 sm:grid-cols-[130px_minmax(0,1fr)]">
              <dt className="text-muted">File</dt>
              <dd className="font-semibold wrap-anywhere">{check.name}</dd>
              <dt className="pt-2 text-muted">SHA-256</dt>
              <dd className="mono wrap-anywhere sm:pt-2">{check.sha256}</dd>
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}
