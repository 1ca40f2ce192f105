import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { cellsOf, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { refused, type StubAnswer, type StubServer } from './support/server.js';

const row = (
  country: string | null,
  report: string,
  creators: number,
  reportable: number,
  incomplete: number,
) => ({
  country,
  report,
  creators,
  reportable,
  incomplete,
  grossMicroUsd: 20_000_000 * creators,
  royaltiesMicroUsd: 12_000_000 * creators,
});
const creator = (creatorId: string) => ({
  creatorId,
  country: 'DE',
  report: 'DAC7',
  missing: ['date of birth', 'tax id'],
  royaltiesMicroUsd: 12_000_000,
});

let server: StubServer;
beforeEach(() => {
  server = startBooks();
  server
    .on('GET /api/finance/reports/creator-taxes/:year', ({ path }) => ({
      json: {
        year: path.split('/').at(-1),
        items: [row('DE', 'DAC7', 2, 2, 2), row('US', '1099', 3, 1, 0), row(null, 'unknown', 1, 1, 1)],
        quartersWithoutRate: [`${path.split('/').at(-1)}-Q4`],
      },
    }))
    .on('GET /api/finance/reports/creator-taxes/:year/incomplete', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [creator('otto')], nextCursor: null, total: 2 }
        : { items: [creator('ada')], nextCursor: 'next', total: 2 },
    }));
});
afterEach(leave);

it('[BOOK-831] counts by country, lists what is missing page by page, and asks for it once', async () => {
  const { path } = openBooks('/finance/creator-taxes');
  const shown = within(await table('By country'));
  const lines = shown
    .getAllByRole('row')
    .slice(1)
    .map((each) => cellsOf(each));
  expect(lines[0]?.slice(0, 5)).toEqual(['DAC7', '2', '2', '0', '2']);
  expect(lines[1]?.slice(0, 5)).toEqual(['Form 1099', '3', '1', '2', '0']);
  expect(lines.at(-1)?.slice(1, 5)).toEqual(['6', '4', '2', '3']);
  expect(screen.getByText('Without euro rate: Q4')).toBeTruthy();
  const missing = within(await table('Data missing'));
  expect(await missing.findByRole('link', { name: 'Ada Ray' })).toBeTruthy();
  expect(missing.getByText('date of birth, tax id')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'More creators' }));
  await waitFor(() => expect(missing.getAllByRole('row')).toHaveLength(3));
  let answer: (given: StubAnswer) => void = () => {};
  server.on(
    'POST /api/finance/reports/creator-taxes/:year/ask',
    () => new Promise((done) => (answer = done)),
  );
  await userEvent.dblClick(screen.getByRole('button', { name: 'Ask for it' }));
  answer({ json: { asked: 2 } });
  expect(await screen.findByText('2 creators asked')).toBeTruthy();
  expect(server.seen('POST /api/finance/reports/creator-taxes/:year/ask')).toHaveLength(1);
  const year = String(new Date().getUTCFullYear() - 1);
  await userEvent.selectOptions(screen.getByLabelText('Year'), year);
  await waitFor(() => expect(path()).toBe(`/finance/creator-taxes?year=${year}`));
  await waitFor(() => expect(server.seen(`GET /api/finance/reports/creator-taxes/${year}`)).toHaveLength(1));
  expect(screen.getByRole('link', { name: /Creators as CSV/ }).getAttribute('href')).toBe(
    `/api/finance/reports/creator-taxes/${year}.csv`,
  );
});

it('[BOOK-831] says that no one earned anything, and that the counts could not be loaded', async () => {
  server.on('GET /api/finance/reports/creator-taxes/:year', refused('InternalError'));
  server.on('GET /api/finance/reports/creator-taxes/:year/incomplete', {
    json: { items: [], nextCursor: null, total: 0 },
  });
  openBooks('/finance/creator-taxes');
  expect(await screen.findByText('The countries could not be loaded')).toBeTruthy();
  expect(await screen.findByText('Nothing is missing.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Ask for it' })).toBeNull();
});
