function Key({ musicalKey }: { musicalKey: string }) {
  const [note, mode] = musicalKey.split(' ');
  return (
    <>
      <b>{note}</b> <span className="text-faint">{mode === 'Minor' ? 'min' : 'maj'}</span>
    </>
  );
}

/**
 * A key as bare text: the note bold, the mode short and faint; the full label is the tooltip.
 * @param props.playsIn the key in which the sound is played, if it is transposed: "A min → C min"
 */
export function KeyLabel(props: { musicalKey: string | null; playsIn?: string | null; none?: string }) {
  const { musicalKey, playsIn = musicalKey, none = '–' } = props;
  if (!musicalKey) return <span className="narrow text-faint">{none}</span>;
  const isShifted = playsIn !== null && playsIn !== musicalKey;
  return (
    <span className="narrow whitespace-nowrap" title={isShifted ? `${musicalKey} → ${playsIn}` : musicalKey}>
      <Key musicalKey={musicalKey} />
      {isShifted && (
        <span className="[display:var(--from-to,inline)]">
          {' → '}
          <Key musicalKey={playsIn} />
        </span>
      )}
    </span>
  );
}

/** A tempo; a dash if it is unknown (0). @param playsAt the playback tempo: "100 → 90 BPM" */
export function TempoLabel({ bpm, playsAt = bpm }: { bpm: number; playsAt?: number }) {
  if (bpm === 0) return <span className="narrow text-faint">–</span>;
  return (
    <span className="narrow whitespace-nowrap">
      <b>
        {bpm}
        {playsAt !== bpm && <span className="[display:var(--from-to,inline)]"> → {playsAt}</span>}
      </b>{' '}
      <span className="text-[0.86em] text-faint">BPM</span>
    </span>
  );
}
