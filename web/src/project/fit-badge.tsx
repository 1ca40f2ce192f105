import './fit-badge.css';
import { Check } from 'lucide-react';
import { Badge } from '../ui/badge.js';
import { fitLabelOf } from './fit-label.js';
import { useProject } from './project.js';

/** Says how a sample fits the open project; nothing without a project. */
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
