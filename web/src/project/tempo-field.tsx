import { Minus, Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { PROJECT_TEMPO_MAX, PROJECT_TEMPO_MIN } from '../../../application/catalogue/values.js';
import { IconButton } from '../ui/button.js';
import { isTyping } from '../ui/forms/typing.js';
import { projectTempoOf } from './project.js';

const PAUSE_MS = 2_000;
const TAPS = 8;
const TICKS = Array.from({ length: 25 }, (_, at) => at);
const SHOWN_TAPS = 5;

/** The times of the latest taps in milliseconds, oldest first. A tap after a pause starts a new series. */
export const withTap = (taps: readonly number[], at: number): number[] =>
  at - (taps.at(-1) ?? at) > PAUSE_MS ? [at] : [...taps, at].slice(-TAPS - 1);

/** The tempo of taps in whole BPM; undefined before the second tap. */
export function tempoOfTaps(taps: readonly number[]): number | undefined {
  const [first = 0] = taps;
  const beats = taps.length - 1;
  const durationMs = (taps.at(-1) ?? 0) - first;
  return beats > 0 && durationMs > 0 ? projectTempoOf(Math.round((beats * 60_000) / durationMs)) : undefined;
}

/** The taps as triangles on a ruler of four beats; the newest is orange. */
function TapRuler({ taps, tempo }: { taps: readonly number[]; tempo: number }) {
  const shown = taps.slice(-SHOWN_TAPS);
  const [first = 0] = shown;
  return (
    <svg viewBox="-4 0 208 22" className="mt-3 block w-full" aria-hidden="true">
      {TICKS.map((tick) => (
        <path
          key={tick}
          d={`M${tick * (200 / 24)} 22v-${tick % 6 === 0 ? 8 : 4}`}
          className="stroke-strong"
          strokeWidth="1"
        />
      ))}
      {shown.map((tap, at) => {
        const x = Math.min(200, (((tap - first) * tempo) / 60_000 / 4) * 200);
        return (
          <path
            key={tap}
            d={`M${x - 4} 2h8v8z`}
            className={at === shown.length - 1 ? 'fill-mark' : 'fill-muted'}
          />
        );
      })}
    </svg>
  );
}

/**
 * The field for the tempo: a number, buttons for steps, and a button to tap. While the field is shown, the key T taps
 * too.
 */
export function TempoField({ tempo, onChange }: { tempo: number; onChange: (tempo: number) => void }) {
  const [text, setText] = useState<string | null>(null);
  const [taps, setTaps] = useState<readonly number[]>([]);
  const tap = (at: number) => {
    const next = withTap(taps, at);
    setTaps(next);
    const found = tempoOfTaps(next);
    if (found !== undefined) onChange(found);
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 't' || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const { target } = event;
    if (isTyping(target) && !(target instanceof HTMLInputElement && target.type === 'number')) return;
    event.preventDefault();
    event.stopPropagation();
    tap(event.timeStamp);
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressed(event);
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
  const apply = () => {
    if (text !== null && text.trim() !== '') onChange(projectTempoOf(Number(text)));
    setText(null);
  };
  const step = (by: number, label: string, Icon: typeof Plus) => (
    <IconButton
      label={label}
      className="size-7.5! max-md:size-11! border border-line"
      onClick={() => onChange(projectTempoOf(Math.round(tempo) + by))}
    >
      <Icon size={15} />
    </IconButton>
  );
  return (
    <div>
      <label className="mb-2 block font-semibold" htmlFor="project-tempo">
        Tempo
      </label>
      <div className="flex gap-2">
        <span className="relative min-w-0 flex-1">
          <input
            id="project-tempo"
            type="number"
            inputMode="decimal"
            min={PROJECT_TEMPO_MIN}
            max={PROJECT_TEMPO_MAX}
            step="any"
            className="field display h-full! min-h-16 pr-12! text-4xl!"
            value={text ?? tempo}
            onChange={({ target }) => setText(target.value)}
            onBlur={apply}
            onKeyDown={(event) => event.key === 'Enter' && apply()}
          />
          <span
            className="pointer-events-none absolute right-3 bottom-3 text-xs text-muted"
            aria-hidden="true"
          >
            BPM
          </span>
        </span>
        <span className="grid gap-1">
          {step(1, 'Faster', Plus)}
          {step(-1, 'Slower', Minus)}
        </span>
        <button
          type="button"
          className="grid w-16 place-content-center justify-items-center gap-1.5 border border-strong font-semibold hover:bg-hover"
          aria-keyshortcuts="T"
          onClick={({ timeStamp }) => tap(timeStamp)}
        >
          <span>
            Tap<span className="sr-only"> the tempo</span>
          </span>
          <kbd className="border border-strong px-1.5 font-sans text-2xs max-md:hidden">T</kbd>
        </button>
      </div>
      <TapRuler taps={taps} tempo={tempo} />
    </div>
  );
}
