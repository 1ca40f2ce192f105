import type { OwnPackCard } from '../../../../application/publishing/contract.js';

interface Stat {
  label: string;
  /** What the figure covers. */
  span: string;
  value: number;
  note: string;
}

function statsOf(packs: readonly OwnPackCard[]): Stat[] {
  const sum = (part: (pack: OwnPackCard) => number) => packs.reduce((total, pack) => total + part(pack), 0);
  const active = packs.filter(({ status }) => status === 'published').length;
  const drafts = packs.filter(({ status }) => status === 'draft').length;
  return [
    {
      label: 'Downloads',
      span: 'All time',
      value: sum(({ downloads }) => downloads),
      note: 'of all your packs',
    },
    { label: 'Active Packs', span: 'Now', value: active, note: 'in the catalogue' },
    { label: 'Drafts', span: 'Now', value: drafts, note: 'seen by you only' },
    {
      label: 'Samples',
      span: 'Now',
      value: sum(({ sampleCount }) => sampleCount),
      note: 'in all your packs',
    },
  ];
}

/** What the packs add up to. */
export function StatCards({ packs }: { packs: readonly OwnPackCard[] }) {
  return (
    <dl className="dash-stats panel">
      {statsOf(packs).map(({ label, span, value, note }) => (
        <div key={label}>
          <dt className="flex justify-between gap-2 text-muted">
            {label} <span className="text-[13px] text-faint">{span}</span>
          </dt>
          <dd className="display mt-4 text-[40px]">{value.toLocaleString('en')}</dd>
          <dd className="mt-2 text-[13px] text-faint">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
