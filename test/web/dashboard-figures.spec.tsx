import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CreatorDashboard } from '../../application/payouts/contract.js';
import { Figures } from '../../web/src/screens/dashboard/figures.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { renderAt } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const same = (value: number) => ({ current: value, previous: value });
const pointsOf = (days: number, downloads: number) =>
  Array.from({ length: days }, (_, day) => ({
    date: new Date(Date.UTC(2026, 9, 22 + day)).toISOString().slice(0, 10),
    downloads,
    revenueMicroUsd: downloads * 96_000,
  }));
const nothing = (): CreatorDashboard => ({
  salesMicroUsd: same(0),
  downloads: same(0),
  activePacks: same(0),
  creditsUsed: same(0),
  availableMicroUsd: 0,
  points: pointsOf(30, 0),
  activity: [],
});

let server: StubServer;
let figures: CreatorDashboard;

beforeEach(() => {
  figures = nothing();
  server = new StubServer({ 'GET /api/creator/dashboard': () => ({ json: figures }) });
});
afterEach(() => {
  act(dismissToast);
  cleanup();
});

const open = () => renderAt('/dashboard', <Figures />);
const cardOf = async (label: string) =>
  (await screen.findByText(label, { selector: 'dt' })).closest('div')?.textContent;

describe('the cards', () => {
  it('[DASH-04] show four figures of the last 30 days and how they changed', async () => {
    figures = {
      ...nothing(),
      salesMicroUsd: { current: 274_189_999, previous: 243_940_000 },
      downloads: { current: 2_163, previous: 1_983 },
      activePacks: same(3),
      creditsUsed: { current: 2_688, previous: 2_771 },
    };
    open();
    expect(await cardOf('Total Sales')).toBe(
      'Total Sales Last 30 days$274.18Up: 12.4% on the 30 days before',
    );
    expect(await cardOf('Downloads')).toBe('Downloads Last 30 days2,163Up: 9.1% on the 30 days before');
    expect(await cardOf('Active Packs')).toBe('Active Packs Last 30 days3No change');
    expect(await cardOf('Total Credits')).toBe(
      'Total Credits Last 30 days2,688Down: 3% on the 30 days before',
    );
  });

  it.each([
    [{ current: 5, previous: 0 }, 'Up: 0 in the 30 days before'],
    [{ current: 0, previous: 5 }, 'Down: 100% on the 30 days before'],
    [{ current: 10_001, previous: 10_000 }, 'Up: Under 0.1% on the 30 days before'],
    [{ current: 0, previous: 0 }, 'No change'],
  ])('[DASH-04] say "No change" only when there is none: %j', async (downloads, change) => {
    figures = { ...nothing(), downloads };
    open();
    expect(await cardOf('Downloads')).toMatch(new RegExp(`\\d${change}$`));
  });
});

describe('the chart', () => {
  it('[DASH-06] turns between downloads and revenue over at most 30 days', async () => {
    figures = { ...nothing(), points: pointsOf(31, 12) };
    open();
    await screen.findByRole('slider', { name: 'Downloads a day' });
    const chart = screen.getByRole('region', { name: 'Performance Analytics' });
    expect(chart.textContent).toContain('Last 30 days');
    expect(chart.querySelectorAll('[data-bar]')).toHaveLength(30);
    await userEvent.click(screen.getByRole('button', { name: 'Revenue' }));
    expect(screen.getByRole('slider', { name: 'Revenue a day' }).getAttribute('aria-valuetext')).toMatch(
      /: \$1\.15$/,
    );
  });

  it('[DASH-06] says that nothing was sold', async () => {
    open();
    expect(await screen.findByText('No sales data yet')).toBeTruthy();
    expect(document.querySelector('[data-bar]')).toBeNull();
  });
});

describe('the activity', () => {
  it('[DASH-07] names who downloaded and when, ten at most', async () => {
    figures.activity = Array.from({ length: 11 }, (_, at) => ({
      id: `sale-${at}`,
      buyerName: at === 0 ? 'User 4f1c09ab' : 'Noor Haddad',
      createdAt: new Date(Date.now() - (at + 2) * 60_000).toISOString(),
      sampleId: 'one',
      sampleTitle: 'Brush break',
      packTitle: 'Kitchen',
      creditsUsed: 1,
      country: null,
      amountMicroUsd: 96_000,
      heldUntil: null,
    }));
    open();
    const items = within(await screen.findByRole('region', { name: 'Recent Activity' })).getAllByRole(
      'listitem',
    );
    expect(items).toHaveLength(10);
    expect(items[0]?.textContent).toContain('User 4f1c09ab downloaded Brush break2m');
    expect(items[0]?.querySelector('time')?.dateTime).toBe(figures.activity[0]?.createdAt);
  });

  it('[DASH-07] says that there is none', async () => {
    open();
    expect(await screen.findByText('No activity yet')).toBeTruthy();
  });
});

it('a failed load can be repeated', async () => {
  server.on('GET /api/creator/dashboard', refused('InternalError', { title: 'It failed' }));
  open();
  await screen.findByText('Your figures could not be loaded');
  server.on('GET /api/creator/dashboard', () => ({ json: figures }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
