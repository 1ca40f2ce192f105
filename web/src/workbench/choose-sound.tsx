import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { query } from '../api/api.js';
import { TYPING_PAUSE_MS } from '../shell/search-box.js';
import { projectParameter } from '../project/project.js';
import { SoundLines } from '../samples/sound-line.js';
import { Button } from '../ui/button.js';
import { FileDrop } from '../ui/forms/file-drop.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { toast } from '../ui/overlays/toast.js';
import { EmptyState } from '../ui/states.js';
import type { Bench, Lane } from './song.js';
import { addOwnFile, addSample, currentBench, isFull, swapSample } from './workbench.js';

const SHOWN = 20;

/** Reads a file of the listener in this browser, and adds it as a lane. */
export async function takeOwnFile(file: File): Promise<boolean> {
  const bench = currentBench();
  if (!bench || isFull(bench)) return false;
  const { analyse } = await import('../by-sound/analyse.js');
  const sound = await analyse(file);
  if ('refused' in sound) {
    toast({ title: `${file.name} was not added`, description: sound.refused, tone: 'danger' });
    return false;
  }
  addOwnFile({ file, seconds: sound.durationMs / 1_000, waveform: sound.peaks });
  return true;
}

/** Lists the samples of an answer, each with a button that chooses it. */
function Choices(props: {
  answer: ComponentProps<typeof SoundLines>['answer'];
  label: string;
  empty: string;
  onChoose: (sample: Sample) => void;
}) {
  const { answer, label, empty, onChoose } = props;
  return (
    <SoundLines
      answer={answer}
      empty={<EmptyState title="Nothing found">{empty}</EmptyState>}
      after={(sample) => (
        <Button size="small" onClick={() => onChoose(sample)}>
          {label}
          <span className="sr-only">{sample.title}</span>
        </Button>
      )}
    />
  );
}

/** A dialog that replaces the sound of a lane by a similar sound that fits. */
export function SwapDialog({ lane, bench, onClose }: { lane: Lane; bench: Bench; onClose: () => void }) {
  const answer = useQuery(
    query('GET /api/samples/:id/similar', {
      params: { id: lane.sampleId ?? '' },
      query: { by: 'sound', fits: projectParameter(bench) },
    }),
  );
  return (
    <Dialog
      open
      title="Swap"
      description={`Sounds like ${lane.title} that fit`}
      width={620}
      onClose={onClose}
    >
      <Choices
        answer={answer}
        label="Swap"
        empty="No similar sound fits this tempo and key as it is."
        onChoose={(sample) => {
          swapSample(lane.id, sample);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** A dialog that finds a sound that fits, or adds a file of the listener. */
export function AddDialog({ bench, onClose }: { bench: Bench; onClose: () => void }) {
  const [text, setText] = useState('');
  const [isReading, setReading] = useState(false);
  const q = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const project = projectParameter(bench);
  const answer = useQuery(query('GET /api/samples', { query: { q, project, sort: 'fits', limit: SHOWN } }));
  const take = async (file: File) => {
    setReading(true);
    const isTaken = await takeOwnFile(file).finally(() => setReading(false));
    if (isTaken) onClose();
  };
  return (
    <Dialog
      open
      title="Add a sound"
      description="Or press W beside any sound on another page."
      width={620}
      onClose={onClose}
    >
      <FileDrop label="Your own sound" accept="audio/*" onFile={(file) => void take(file)}>
        <span role="status">{isReading ? 'Reading the file…' : 'Your file stays in this browser.'}</span>
      </FileDrop>
      <input
        type="search"
        data-autofocus
        className="field my-3"
        aria-label="Search sounds that fit"
        placeholder="Search sounds that fit"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Choices
        answer={answer}
        label="Add"
        empty="Try other words."
        onChoose={(sample) => {
          addSample(sample);
          onClose();
        }}
      />
    </Dialog>
  );
}
