import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { askCollect, collectableSample } from '../collections/collect-request.js';
import { PickAll, PickButton, pickByPress } from '../picks/pick-box.js';
import { pick, pickOf, pressPick } from '../picks/picks.js';
import { isTyping } from '../ui/forms/typing.js';
import { player } from '../player/player.js';
import { preloadNeighbours } from '../player/preload.js';
import { useProject } from '../project/project.js';
import { LoadingText } from '../ui/states.js';
import { tryInWorkbench } from '../workbench/try-sound.js';
import { VirtualRows } from '../ui/virtual-rows.js';
import { type RowPlace, SampleRow } from './sample-row.js';
import { useCompactRows } from './row-height.js';
import { askSimilar } from './similar-request.js';

export interface SampleListProps {
  samples: readonly Sample[];
  place: RowPlace;
  label: string;
  ranked?: boolean;
  headings?: boolean;
  /** Puts each row into a list item with other controls. @param number the place in the list, from 1 */
  around?: (sample: Sample, row: ReactNode, at: { tabIndex: number; number: number }) => ReactNode;
}

/** The name of each column in the grid, its title, and its classes. */
const COLUMNS = [
  ['title', 'Title', ''],
  ['fit', 'Fit', '[display:var(--fit,none)]'],
  ['wave', 'Preview', ''],
  ['time', 'Time', 'justify-self-end pr-4'],
  ['key', 'Key', ''],
  ['tempo', 'Tempo', '[display:var(--extras)]'],
  ['instruments', 'Instruments', '[display:var(--instruments)]'],
  ['extras', 'Extras', '[display:var(--extras)]'],
  ['cost', 'Cost', ''],
] as const;

function focusRow(list: HTMLElement, sampleId: string): void {
  list.querySelector<HTMLElement>(`[data-sample="${CSS.escape(sampleId)}"]`)?.focus();
}

const hasNoFocus = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.id === 'content');

const rowOnScreen = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[data-sample][tabindex="0"]')].find((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    // The header and the player cover the edges of the window. A row behind them is not on screen.
    const above = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const below = Number.parseFloat(getComputedStyle(row).scrollMarginBottom) || 0;
    return top >= above && bottom <= window.innerHeight - below;
  });

/**
 * If no element has the focus, the down arrow focuses and plays the current row of the first list on screen. If the
 * player already has that sample, the next row plays.
 */
function useArrowFromPage(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowDown' || event.defaultPrevented || !hasNoFocus(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const row = rowOnScreen();
      if (!row || !box.current?.contains(row)) return;
      event.preventDefault();
      row.focus();
      const key = row.dataset.sample === player.getState().track?.id ? 'ArrowDown' : 'Enter';
      row.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [box]);
}

/** A row plays after this pause. It is longer than the pause between two repeats of a key that is held down. */
const REST_MS = 150;

/**
 * Keys: up and down move to a row and play it at once (with Shift, they also pick), Enter and Space play, P picks, S
 * saves, D downloads, M finds similar samples, C adds to a collection, W adds to the workbench.
 */
function useListKeys(samples: readonly Sample[], setCurrent: (id: string) => void) {
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  return (event: KeyboardEvent<HTMLElement>) => {
    clearTimeout(rest.current);
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = (event.target as Element).closest<HTMLElement>('[data-sample]');
    const at = samples.findIndex(({ id }) => id === row?.dataset.sample);
    const sample = samples[at];
    if (!row || !sample) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const onRow = event.target === row;
    if (step) {
      event.preventDefault();
      const next = samples[at + step];
      if (!next) return;
      if (event.shiftKey) pick([sample, next].map(pickOf), true);
      setCurrent(next.id);
      const list = event.currentTarget;
      requestAnimationFrame(() => focusRow(list, next.id));
      player.pause();
      const play = () => {
        void player.play(next, { queue: samples, pressed: false });
        preloadNeighbours(samples, next);
      };
      // While an arrow key is held down, only the row at which the movement stops plays.
      if (event.repeat) rest.current = setTimeout(play, REST_MS);
      else play();
    } else if (event.repeat) {
      // A key that is held down acts once, and must not scroll the page.
      if (onRow && event.key === ' ') event.preventDefault();
    } else if (onRow && (event.key === ' ' || event.key === 'Enter')) {
      event.preventDefault();
      void player.play(sample, { queue: samples });
    } else if (event.key === 'p') {
      event.preventDefault();
      pressPick(samples.map(pickOf), sample.id, { range: false });
    } else if (event.key === 'm') {
      event.preventDefault();
      askSimilar(sample);
    } else if (event.key === 'c') {
      event.preventDefault();
      void askCollect(collectableSample(sample));
    } else if (event.key === 'w') {
      event.preventDefault();
      if (sample.previewUrl) void tryInWorkbench(sample);
    } else if (event.key === 's' || event.key === 'd') {
      event.preventDefault();
      row
        .querySelector<HTMLButtonElement>(`[data-action=${event.key === 's' ? 'save' : 'download'}]`)
        ?.click();
    }
  };
}

/** Samples in aligned columns. Tab reaches one row of the list; the arrow keys reach the others. */
export function SampleList(props: SampleListProps) {
  const { samples, place, label, ranked = false, headings = false, around } = props;
  const [current, setCurrent] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isCompact = useCompactRows() && !ranked;
  const hasProject = useProject() !== null;
  const press = useListKeys(samples, setCurrent);
  useArrowFromPage(box);
  const tabStop = samples.some(({ id }) => id === current) ? current : samples[0]?.id;
  const follow = (event: FocusEvent<HTMLElement>) => {
    const id = event.target.closest<HTMLElement>('[data-sample]')?.dataset.sample;
    const sample = samples.find((one) => one.id === id);
    if (!sample) return;
    setCurrent(sample.id);
    preloadNeighbours(samples, sample);
  };
  const row = (index: number) => {
    const sample = samples[index] as Sample;
    const tabIndex = sample.id === tabStop ? 0 : -1;
    const shown = (
      <SampleRow
        sample={sample}
        queue={samples}
        place={place}
        rank={ranked ? index + 1 : undefined}
        tabIndex={tabIndex}
        inItem={around !== undefined}
        number={index + 1}
        count={samples.length}
      />
    );
    return around ? around(sample, shown, { tabIndex, number: index + 1 }) : shown;
  };
  return (
    <div
      ref={box}
      className="sample-list"
      data-ranked={ranked ? '' : undefined}
      data-compact={isCompact ? '' : undefined}
      data-fits={hasProject ? '' : undefined}
    >
      {headings && (
        <div className="sample-head h-8.5 border-b border-line text-sm text-muted">
          <PickButton />
          <PickAll list={samples.map(pickOf)} className="row-pick" />
          {COLUMNS.map(([column, title, className]) => (
            <span key={column} className={className} style={{ gridColumn: column }} aria-hidden="true">
              {title}
            </span>
          ))}
        </div>
      )}
      <div role="list" aria-label={label} onKeyDown={press} onFocus={follow} {...pickByPress(samples)}>
        <VirtualRows
          count={samples.length}
          keep={samples.findIndex(({ id }) => id === tabStop)}
          keyOf={(index) => samples[index]?.id}
        >
          {row}
        </VirtualRows>
      </div>
    </div>
  );
}

export function SampleListSkeleton(props: { rows: number; loadingText: string; ranked?: boolean }) {
  const { rows, loadingText, ranked } = props;
  return (
    <div className="sample-list" data-ranked={ranked ? '' : undefined}>
      <LoadingText>{loadingText}</LoadingText>
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="sample-row sample-row-skeleton">
            {ranked && <span className="row-rank" />}
            <span className="row-play" />
            <span className="row-cover skeleton after-150ms" />
            <span className="row-title">
              <span className="skeleton after-150ms mb-2 block h-3 w-3/5" />
              <span className="skeleton after-150ms block h-2.5 w-2/5" />
            </span>
            <span className="row-wave skeleton after-150ms" />
          </div>
        ))}
      </div>
    </div>
  );
}
