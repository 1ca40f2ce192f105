import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LineChart } from '../../web/src/charts/line-chart.js';
import { spanOf } from '../../web/src/charts/chart-frame.js';
import type { Column } from '../../web/src/staff/list/column.js';
import { List } from '../../web/src/staff/list/list.js';
import { ageOf, ageSince, daysOf } from '../../web/src/staff/dates.js';
import { compareCells, csvOf, decimalOf, tsvOf } from '../../web/src/staff/list/sheet.js';
import { Waterfall } from '../../web/src/screens/finance/parts/waterfall.js';
import { renderAt } from './support/render.js';

afterEach(cleanup);

describe('a sheet', () => {
  const sheet = {
    columns: ['Account', 'Amount', 'Credits'],
    rows: [
      ['=cmd()', { microUsd: -119_880 }, -5],
      ['a "quoted", one', { microUsd: 9_990_000 }, 0],
      ['two\tlines\nlong', { microUsd: 0 }, 12],
    ],
  };

  it('[FIN-20] is copied as a spreadsheet pastes it: exact amounts, no formulas, one line a row', () => {
    expect(tsvOf(sheet).split('\n')).toEqual([
      'Account\tAmount\tCredits',
      "'=cmd()\t-0.119880\t-5",
      'a "quoted", one\t9.990000\t0',
      'two lines long\t0.000000\t12',
    ]);
  });

  it('[FIN-20] is saved as CSV that no spreadsheet runs', () => {
    expect(csvOf(sheet).split('\r\n').slice(0, 3)).toEqual([
      'Account,Amount,Credits',
      "'=cmd(),-0.119880,-5",
      '"a ""quoted"", one",9.990000,0',
    ]);
    for (const start of ['+1', '-1+1', '@sum', '\tx'])
      expect(csvOf({ columns: [], rows: [[start]] })).toContain(`'${start}`);
  });

  it('writes amounts without floating point, and orders them by size', () => {
    expect(decimalOf(-9_007_199_254_740_991)).toBe('-9007199254.740991');
    expect(compareCells({ microUsd: 9 }, { microUsd: 10 })).toBeLessThan(0);
    expect(compareCells('item 9', 'item 10')).toBeLessThan(0);
  });

  it('[WEB-75] tells ages in the unit that fits', () => {
    const now = Date.parse('2026-11-20T12:00:00.000Z');
    const ages = [
      '2026-11-20T11:59:30.000Z',
      '2026-11-20T11:38:00.000Z',
      '2026-11-19T10:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
    ];
    expect(ages.map((at) => ageSince(at, now))).toEqual(['just now', '22 min', '26 h', '19 d']);
  });

  it('tells months and ages', () => {
    expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(daysOf('2026-12').to).toBe('2026-12-31');
    expect([0, 1, 26].map(ageOf)).toEqual(['today', '1 d', '26 d']);
  });
});

describe('a table of the books', () => {
  interface Row {
    name: string;
    microUsd: number;
  }
  const rows: Row[] = [
    { name: 'bank', microUsd: 5_000_000 },
    { name: 'tax', microUsd: -830_000 },
    { name: 'stripe', microUsd: 12_000_000 },
  ];
  const columns: Column<Row>[] = [
    {
      label: 'Account',
      value: ({ name }) => name,
      total: 'Sum',
      cell: ({ name }) => <a href={`#${name}`}>{name}</a>,
    },
    { label: 'Amount', value: ({ microUsd }) => ({ microUsd }), total: { microUsd: 16_170_000 } },
  ];
  let copied: string;
  beforeEach(() => {
    copied = '';
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void (copied = text) },
    });
    renderAt(
      '/',
      <>
        <List
          title="Cash"
          file="cash"
          searchable
          columns={columns}
          of={rows}
          keyOf={({ name }) => name}
          empty="None."
        />
      </>,
    );
  });
  const names = () =>
    screen
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
      .filter((name) => !name?.startsWith('Sum'));

  it('is sorted by any column, rising, falling, and back', async () => {
    const header = screen.getByRole('button', { name: 'Amount' });
    await userEvent.click(header);
    expect(names()).toEqual(['tax', 'bank', 'stripe']);
    expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(header);
    expect(names()).toEqual(['stripe', 'bank', 'tax']);
    await userEvent.click(header);
    expect(names()).toEqual(['bank', 'tax', 'stripe']);
  });

  const catchFiles = () => {
    const saved: string[] = [];
    const createObjectURL = jest.fn((blob: Blob) => `blob:${saved.push(blob.type)}`);
    Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined });
    HTMLAnchorElement.prototype.click = function click() {
      saved.push(this.download);
    };
    return saved;
  };

  it('[FIN-461] is searched by text and amount; foot, copy and file say that they have what was found', async () => {
    const saved = catchFiles();
    const search = screen.getByRole('searchbox', { name: 'Search in Cash' });
    await userEvent.type(search, '0.83');
    expect(names()).toEqual(['tax']);
    fireEvent.click(screen.getByRole('button', { name: 'Copy Cash' }));
    expect(await screen.findByText('1 row of Cash, matching “0.83”')).toBeTruthy();
    expect(copied).toBe('Account\tAmount\ntax\t-0.830000');
    expect(screen.getByRole('row', { name: /^Sum/ }).textContent).toBe('Sum of 1 row found−0.83');
    fireEvent.click(screen.getByRole('button', { name: 'Save Cash as CSV' }));
    await screen.findByText('Saved a part of the list');
    expect(saved).toEqual(['text/csv;charset=utf-8', 'cash-matching-0.83.csv']);
    await userEvent.type(search, ' nothing');
    expect(screen.getByText(/No row matches/)).toBeTruthy();
    await userEvent.clear(search);
    expect(screen.getByRole('row', { name: /^Sum/ }).textContent).toBe('Sum16.17');
    fireEvent.click(screen.getByRole('button', { name: 'Save Cash as CSV' }));
    await waitFor(() => expect(saved).toContain('cash.csv'));
  });

  it('[FIN-460] of which a page is loaded copies and saves every row, and says if a file cannot have them all', async () => {
    cleanup();
    const saved = catchFiles();
    const all = Array.from({ length: 5 }, (_, n) => ({ name: `n${n}`, microUsd: n }));
    let isWhole = true;
    const every = () =>
      isWhole
        ? Promise.resolve({ items: all, isWhole })
        : Promise.resolve({ items: all.slice(0, 4), isWhole });
    const page = {
      data: { items: all.slice(0, 2) },
      error: null,
      refetch: () => undefined,
      isFetching: false,
      isRefetching: false,
      hasNextPage: true,
      isFetchingNextPage: false,
      isFetchNextPageError: false,
      fetchNextPage: () => undefined,
      every,
    };
    renderAt(
      '/',
      <>
        <List
          title="Many"
          file="many"
          searchable
          columns={columns}
          of={page}
          more="More of many"
          keyOf={({ name }) => name}
          empty="None."
        />
      </>,
    );
    expect(screen.getByRole('button', { name: 'More of many' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Copy Many' }));
    await screen.findByText('5 rows of Many');
    expect(copied.split('\n')).toHaveLength(6);
    isWhole = false;
    fireEvent.click(screen.getByRole('button', { name: 'Save Many as CSV' }));
    await screen.findByText('4 rows of Many, first 4');
    expect(saved.at(-1)).toBe('many-first-4.csv');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search in Many' }), 'n4');
    screen.getByText('None of the 2 rows loaded so far matches “n4”.');
  });

  it('[FIN-650] of many columns is a table of cards on phones, unless its amounts are compared', () => {
    cleanup();
    const wide = ['A', 'B', 'C', 'D', 'E'].map((label) => ({ label, value: () => label }));
    for (const sideways of [false, true])
      renderAt('/', <List title="Wide" sideways={sideways} columns={wide} of={[1]} keyOf={String} />);
    const [cards, amounts] = screen.getAllByRole('table');
    expect([cards?.className, amounts?.className]).toEqual([
      'fin-table fin-data fin-cards',
      'fin-table fin-data fin-sticky',
    ]);
    const labels = [...(cards?.querySelectorAll('td') ?? [])].map((cell) => cell.dataset['label']);
    expect(labels).toEqual(['B', 'C', 'D', 'E']);
  });

  it('is walked through by arrow keys, from row to row', async () => {
    const link = (name: string) => screen.getByRole('link', { name });
    link('bank').focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(link('tax'));
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(link('stripe'));
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(link('stripe'));
    await userEvent.keyboard('{Home}{ArrowUp}');
    expect(document.activeElement).toBe(link('bank'));
  });

  it('shows many rows in portions, and copies all', async () => {
    cleanup();
    const many = Array.from({ length: 450 }, (_, n) => ({ name: `n${n}`, microUsd: n }));
    renderAt(
      '/',
      <List title="Many" file="many" columns={columns} of={many} keyOf={({ name }) => name} empty="None." />,
    );
    expect(screen.getAllByRole('link')).toHaveLength(200);
    expect(screen.getByText('200 of 450 shown')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Copy Many' }));
    await waitFor(() => expect(copied.split('\n')).toHaveLength(451));
    fireEvent.click(screen.getByRole('button', { name: 'More rows' }));
    fireEvent.click(screen.getByRole('button', { name: 'More rows' }));
    expect(screen.getAllByRole('link')).toHaveLength(450);
  });
});

describe('charts of the books', () => {
  it('have round lines below zero too', () => {
    expect(spanOf(-35, 80, 1)).toEqual([-60, -30, 0, 30, 60, 90]);
    expect(spanOf(0, 0, 10_000)).toEqual([0, 10_000]);
  });

  it('read one month off every line, by arrow keys', () => {
    render(
      <LineChart
        title="Balances"
        unit={1}
        formatTick={String}
        formatValue={(value) => `$${value}`}
        points={['Sep', 'Oct'].map((month) => ({ id: month, label: month, when: `End of ${month}` }))}
        lines={[
          { name: 'Cash', colour: 'red', values: [3, 9] },
          { name: 'Deferred', colour: 'blue', values: [2, -4] },
        ]}
      />,
    );
    const chart = screen.getByRole('slider', { name: 'Balances' });
    expect(chart.getAttribute('aria-valuetext')).toBe('End of Oct: Cash $9, Deferred $-4');
    fireEvent.keyDown(chart, { key: 'Home' });
    expect(chart.getAttribute('aria-valuetext')).toBe('End of Sep: Cash $3, Deferred $2');
    // The lines differ without colour.
    const dashes = [...chart.querySelectorAll('[data-line] > path[fill="none"]')].map((path) =>
      path.getAttribute('stroke-dasharray'),
    );
    expect(new Set(dashes).size).toBe(2);
  });

  it('[FIN-16] hang each step of the credits where the one before ended', () => {
    const forward = {
      opening: 100,
      granted: 50,
      spent: 30,
      returned: 0,
      revoked: 0,
      adjusted: -20,
      closing: 100,
    };
    const { container } = render(<Waterfall forward={forward} label="Credits" />);
    const bar = (step: string) => {
      const { marginLeft, width } = (container.querySelector(`[data-step="${step}"]`) as HTMLElement).style;
      return [marginLeft, width].map((part) => Math.round(Number.parseFloat(part) * 1.5));
    };
    expect(bar('opening')).toEqual([0, 100]);
    expect(bar('granted')).toEqual([100, 50]);
    expect(bar('spent')).toEqual([120, 30]);
    expect(bar('adjusted')).toEqual([100, 20]);
    expect(container.querySelector('[data-step="returned"]')).toBeNull();
    const rows = within(screen.getByRole('table', { name: 'Credits' })).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Opening100',
      'Granted+ 50',
      'Spent− 30',
      'Returned0',
      'Revoked0',
      'Adjusted− 20',
      'Closing100',
    ]);
  });
});
