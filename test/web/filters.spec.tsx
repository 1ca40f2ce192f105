import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FacetList, FilterBar } from '../../web/src/filters/filter-bar.js';
import {
  FACET_OPTIONS,
  NO_FILTERS,
  countActive,
  filtersFrom,
  isTempoActive,
  withFilters,
  useFilters,
} from '../../web/src/filters/filters.js';
import { useBackOverPage } from '../../web/src/ui/overlays/back.js';
import { NOOR, pageOf, renderAt, signedInAs } from './support/render.js';

afterEach(cleanup);

function Bar() {
  useBackOverPage();
  const facets = { ...pageOf([]).facets, kind: { 'one-shot': 1_200 } };
  return <FilterBar {...useFilters()} total={1386} facets={facets} clearLabel="Clear all" />;
}
function show(address = '/discover') {
  const { path, back } = renderAt(address, <Bar />);
  const query = () => new URLSearchParams(path().split('?')[1]);
  return { visitor: userEvent.setup(), query, back };
}
const open = (label: string) => screen.getByRole('button', { name: new RegExp(`^${label}`) });
const panel = (label: string) => within(screen.getByRole('group', { name: `${label} filter` }));

describe('the address', () => {
  it('[FLT-01] holds tempo between 0 and 200, min never above max, and counts it only when it narrows', () => {
    expect(filtersFrom(new URLSearchParams('bpmMin=120&bpmMax=70'))).toMatchObject({
      bpmMin: 70,
      bpmMax: 120,
    });
    expect(filtersFrom(new URLSearchParams('bpmMin=-5&bpmMax=900'))).toMatchObject({
      bpmMin: 0,
      bpmMax: 200,
    });
    expect(isTempoActive(NO_FILTERS)).toBe(false);
    expect(isTempoActive({ ...NO_FILTERS, bpmMin: 1 })).toBe(true);
    expect(isTempoActive({ ...NO_FILTERS, bpmMax: 199 })).toBe(true);
  });

  it('[FLT-04] takes at most three of a kind, and leaves out what nobody offers', () => {
    const asked = new URLSearchParams('mood=Dark&mood=Chill&mood=Funky&mood=Smooth&genre=Polka&key=H+Major');
    expect(filtersFrom(asked)).toMatchObject({ mood: ['Dark', 'Chill', 'Funky'], genre: [], key: null });
  });

  it('[FLT-09] reads "Expermental" as Experimental', () => {
    expect(filtersFrom(new URLSearchParams('genre=Expermental')).genre).toEqual(['Experimental']);
  });

  it('[FLT-10] [FLT-11] offers 12 genres, 22 moods and 29 instruments', () => {
    expect(FACET_OPTIONS.genre).toHaveLength(12);
    expect(FACET_OPTIONS.mood).toHaveLength(22);
    expect(new Set(FACET_OPTIONS.instrument).size).toBe(29);
    expect([FACET_OPTIONS.instrument[0], FACET_OPTIONS.instrument.at(-1)]).toEqual(['Piano', 'Choir']);
  });

  it('survives the way into an address and back, beside other parameters', () => {
    const filters = {
      ...NO_FILTERS,
      bpmMin: 70,
      bpmMax: 120,
      key: 'F# Minor' as const,
      mood: ['Dark'],
      genre: ['R&B'],
      kind: 'one-shot' as const,
      secondsMax: 2.5,
      hasMidi: true,
      owned: false,
    };
    const address = withFilters(new URLSearchParams('q=vinyl'), filters);
    expect(address.get('q')).toBe('vinyl');
    expect(filtersFrom(new URLSearchParams(address.toString()))).toEqual(filters);
    expect(countActive(filters)).toBe(8);
    expect(withFilters(address, NO_FILTERS).toString()).toBe('q=vinyl');
  });
});

it('[FLT-707] facts in an address: a turned length is turned back, unknown values are left out', () => {
  const asked = new URLSearchParams(
    'kind=chord&secondsMin=9&secondsMax=3&hasStems=yes&creditsMax=12&owned=maybe',
  );
  expect(filtersFrom(asked)).toEqual({ ...NO_FILTERS, secondsMin: 3, secondsMax: 9 });
});

describe('the bar', () => {
  it('[FLT-707] offers kinds with their counts, one at a time', async () => {
    const { visitor, query } = show();
    await visitor.click(open('Kind'));
    await visitor.click(await panel('Kind').findByRole('button', { name: 'Loop' }));
    await visitor.click(panel('Kind').getByRole('button', { name: 'One-shot' }));
    expect(panel('Kind').getByText('1,200')).toBeTruthy();
    expect(panel('Kind').getByRole('button', { name: 'Loop' }).getAttribute('aria-pressed')).toBe('false');
    await visitor.click(panel('Kind').getByRole('button', { name: 'Apply' }));
    expect(query().get('kind')).toBe('one-shot');
    expect(open('Kind').textContent).toBe('KindOne-shot');
  });

  it('[FLT-707] "More" has length, MIDI, stems and price, and owned once signed in; Back undoes them', async () => {
    const { visitor, query, back } = show('/discover?kind=loop');
    await visitor.click(open('More'));
    await visitor.type(await panel('More').findByRole('spinbutton', { name: 'From' }), '0.5');
    expect(panel('More').queryByRole('button', { name: 'Not owned' })).toBeNull();
    await visitor.type(panel('More').getByRole('spinbutton', { name: 'To' }), '8');
    await visitor.click(panel('More').getByRole('button', { name: 'MIDI' }));
    await visitor.click(panel('More').getByRole('button', { name: '2 credits' }));
    await visitor.click(panel('More').getByRole('button', { name: 'Apply' }));
    expect(query().toString()).toBe('kind=loop&secondsMin=0.5&secondsMax=8&hasMidi=true&creditsMax=2');
    expect(open('More').textContent).toBe('More0.5–8 s, MIDI, Up to 2 credits');
    await back();
    expect(query().toString()).toBe('kind=loop');
    signedInAs(NOOR);
    await visitor.click(open('More'));
    await visitor.click(panel('More').getByRole('button', { name: 'Not owned' }));
    await visitor.click(panel('More').getByRole('button', { name: 'Apply' }));
    expect(query().get('owned')).toBe('false');
  });

  it('[FLT-707] the phone sheet has the same fields, and a chip for each', async () => {
    const { visitor, query } = show('/discover?hasStems=true&key=Minor');
    await visitor.click(screen.getByRole('button', { name: 'Remove filter Any minor' }));
    await visitor.click(screen.getByRole('button', { name: /^Filter/ }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Filter' }));
    await visitor.click(sheet.getByRole('button', { name: 'Take' }));
    await visitor.click(sheet.getByRole('button', { name: 'Stems' }));
    await visitor.click(sheet.getByRole('button', { name: 'Any minor key' }));
    await visitor.click(sheet.getByRole('button', { name: 'Apply' }));
    expect(query().toString()).toBe('kind=take&key=Minor');
  });

  it('[FLT-02] offers 34 keys, and the chosen one clears when it is chosen again', async () => {
    const { visitor, query } = show();
    await visitor.click(open('Key'));
    const names = new Set<string>();
    for (const mode of ['Major', 'Minor']) {
      await visitor.click(await panel('Key').findByRole('button', { name: mode }));
      for (const key of panel('Key').getAllByRole('button', { name: new RegExp(`^[A-G][#b]? ${mode}$`) })) {
        names.add(key.getAttribute('aria-label') ?? '');
      }
    }
    expect(names.size).toBe(34);
    await visitor.click(panel('Key').getByRole('button', { name: 'F# Minor' }));
    expect(panel('Key').getByText('F# also finds Gb. Pick it again to clear it.')).toBeTruthy();
    await visitor.click(panel('Key').getByRole('button', { name: 'Apply' }));
    expect(query().get('key')).toBe('F# Minor');
    await visitor.click(open('Key'));
    await visitor.click(panel('Key').getByRole('button', { name: 'F# Minor' }));
    await visitor.click(panel('Key').getByRole('button', { name: 'Apply' }));
    expect(query().get('key')).toBeNull();
  });

  it('[FLT-04] says "Select up to 3" and disables the rest once three are chosen', async () => {
    const { visitor } = show();
    await visitor.click(open('Instrument'));
    expect(panel('Instrument').getByText('Select up to 3')).toBeTruthy();
    for (const name of ['Piano', 'Rhodes', 'Upright Bass']) {
      await visitor.click(panel('Instrument').getByRole('checkbox', { name }));
    }
    expect((panel('Instrument').getByRole('checkbox', { name: 'Choir' }) as HTMLInputElement).disabled).toBe(
      true,
    );
    expect((panel('Instrument').getByRole('checkbox', { name: 'Piano' }) as HTMLInputElement).disabled).toBe(
      false,
    );
    expect(panel('Instrument').getByText('3 of 3')).toBeTruthy();
  });

  it('[FLT-05] keeps one dropdown open at a time', async () => {
    const { visitor } = show();
    await visitor.click(open('Mood'));
    await visitor.click(open('Genre'));
    expect(screen.queryByRole('group', { name: 'Mood filter' })).toBeNull();
    expect(screen.getByRole('group', { name: 'Genre filter' })).toBeTruthy();
    await visitor.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Genre filter' })).toBeNull();
    expect(document.activeElement).toBe(open('Genre'));
  });

  it('[FLT-05] shows "No options found" where there is nothing to offer', () => {
    renderAt('/discover', <FacetList facet="mood" options={[]} value={[]} onChange={() => undefined} />);
    expect(screen.getByText('No options found')).toBeTruthy();
  });

  it('[FLT-06] stages choices until Apply; Clear empties them; opening shows the applied ones again', async () => {
    const { visitor, query } = show('/discover?mood=Dark');
    await visitor.click(open('Mood'));
    await visitor.click(panel('Mood').getByRole('checkbox', { name: 'Chill' }));
    expect(query().getAll('mood')).toEqual(['Dark']);
    await visitor.keyboard('{Escape}');
    await visitor.click(open('Mood'));
    expect((panel('Mood').getByRole('checkbox', { name: 'Chill' }) as HTMLInputElement).checked).toBe(false);
    await visitor.click(panel('Mood').getByRole('button', { name: 'Clear' }));
    expect(query().getAll('mood')).toEqual(['Dark']);
    await visitor.click(panel('Mood').getByRole('button', { name: 'Apply' }));
    expect(query().getAll('mood')).toEqual([]);
  });

  it('[FLT-420] [WEB-17] back closes an open panel, else undoes the last filter, and only that', async () => {
    const { visitor, query, back } = show('/discover?mood=Dark');
    for (const genre of ['Trap', 'Soul', null]) {
      await visitor.click(open('Genre'));
      if (genre) await visitor.click(panel('Genre').getByRole('checkbox', { name: genre }));
      await visitor.click(panel('Genre').getByRole('button', { name: 'Apply' }));
    }
    expect(query().getAll('genre')).toEqual(['Trap', 'Soul']);
    await visitor.click(open('Mood'));
    await back();
    expect(screen.queryByRole('group', { name: 'Mood filter' })).toBeNull();
    expect(query().getAll('genre')).toEqual(['Trap', 'Soul']);
    await back();
    expect(query().getAll('genre')).toEqual(['Trap']);
    await back();
    expect(query().getAll('genre')).toEqual([]);
    expect(query().getAll('mood')).toEqual(['Dark']);
  });

  it('[FLT-01] never lets the lower tempo pass the upper', async () => {
    const { query } = show('/discover?bpmMax=100');
    fireEvent.change(screen.getByRole('slider', { name: 'Lowest tempo' }), { target: { value: '150' } });
    await waitFor(() => expect(query().get('bpmMin')).toBe('100'));
  });

  it('[DISC-03] shows the count and "Clear all" exactly while a filter is active', async () => {
    const { visitor, query } = show('/discover?genre=Soul&key=C+Major');
    expect(screen.getByText('1,386 results')).toBeTruthy();
    await visitor.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(query().toString()).toBe('');
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
    expect(screen.queryByText('1,386 results')).toBeNull();
  });
});
