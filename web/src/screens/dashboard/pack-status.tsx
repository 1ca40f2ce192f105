import type { OwnPackCard } from '../../../../application/publishing/contract.js';
import { Badge } from '../../ui/badge.js';

const TEXTS = {
  published: 'PUBLISHED',
  draft: 'DRAFT',
  unpublished: 'UNPUBLISHED',
  taken_down: 'TAKEN DOWN',
} as const;

export function PackStatus({ status }: Pick<OwnPackCard, 'status'>) {
  const tone = status === 'published' ? 'ok' : status === 'taken_down' ? 'danger' : 'neutral';
  return (
    <Badge tone={tone}>
      <span className="tracking-[0.04em]">{TEXTS[status]}</span>
    </Badge>
  );
}
