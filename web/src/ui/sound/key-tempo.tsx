/** A key as bare text: the note bold, the mode short and faint; the full label is the tooltip. */
export function KeyLabel({ musicalKey, none = '–' }: { musicalKey: string | null; none?: string }) {
  if (!musicalKey) return <span className="narrow text-faint">{none}</span>;
  const [note, mode] = musicalKey.split(' ');
  return (
    <span className="narrow whitespace-nowrap" title={musicalKey}>
      <b>{note}</b> <span className="text-faint">{mode === 'Minor' ? 'min' : 'maj'}</span>
    </span>
  );
}

/** A tempo; a dash if it is unknown (0). @param playsAt the playback tempo: "100 → 90 BPM" */
export function TempoLabel({ bpm, playsAt = bpm }: { bpm: number; playsAt?: number }) {
  if (bpm === 0) return <span className="narrow text-faint">–</span>;
  return (
    <span className="narrow whitespace-nowrap">
      <b>{playsAt === bpm ? bpm : `${bpm} → ${playsAt}`}</b>{' '}
      <span className="text-[0.86em] text-faint">BPM</span>
    </span>
  );
}
