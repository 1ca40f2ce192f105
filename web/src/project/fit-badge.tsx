import './fit-badge.css';
import { Check } from 'lucide-react';
import { fitOf, keyInProject } from '../../../application/catalogue/values.js';
import { Badge } from '../ui/badge.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { fitLabelOf, signed } from './fit-label.js';
import { useProject } from './project.js';

/** Says how a sample fits the open project. Renders nothing if no project is open. */
export default function FitBadge({ sample }: { sample: { bpm: number; key: string | null } }) {
  const project = useProject();
  if (!project) return null;
  const { label, tone, detail } = fitLabelOf(sample, project);
  return (
    <span className="inline-flex whitespace-nowrap" title={`${label}: ${detail}`}>
      <Badge tone={tone}>
        {tone === 'ok' && <Check size={13} aria-hidden="true" />}
        {label}
      </Badge>
    </span>
  );
}

/** The key and the tempo of a sample, and those in which it plays in the open project. */
export function FitFacts({ sample, noKey }: { sample: { bpm: number; key: string | null }; noKey: string }) {
  const project = useProject();
  if (!project) return null;
  const { rate, semitones } = fitOf(sample, project);
  const percent = Math.round((rate - 1) * 100);
  const playsIn = semitones === 0 ? sample.key : keyInProject(sample.key, project.key);
  return (
    <>
      <span className="col-[key] leading-tight">
        <KeyLabel musicalKey={sample.key} playsIn={playsIn} none={noKey} />
        {sample.key && (
          <small className="fit-change">{semitones === 0 ? 'as it is' : `${signed(semitones)} st`}</small>
        )}
      </span>
      <span className="col-[tempo] leading-tight">
        <TempoLabel bpm={sample.bpm} playsAt={Math.round(sample.bpm * rate)} />
        {percent !== 0 && <small className="fit-change">{signed(percent)} %</small>}
      </span>
    </>
  );
}
