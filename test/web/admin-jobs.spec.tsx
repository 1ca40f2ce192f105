import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { openAdmin, press, shown, startAdministration } from './support/admin.js';
import { leave } from './support/render.js';
import { type StubServer } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

const JOB = {
  id: 'j1',
  kind: 'sweep',
  name: 'bank payouts',
  attempts: 3,
  error: 'no answer',
  failedAt: '2026-11-20T10:00:00.000Z',
};

it('[OPS-156] shows how many jobs there are and which failed, and has one done again', async () => {
  const count = { waiting: 2, running: 1, failed: 0, oldestSeconds: 3 };
  const kinds = ['mail', 'of-a-newer-worker'].map((kind) => ({ kind, ...count }));
  server.on('GET /api/admin/jobs', { json: { kinds, running: [], items: [JOB] } });
  server.on('POST /api/admin/jobs/j1/retry', { status: 204 });
  await openAdmin('/admin/jobs');
  const counted = (kind: string) => screen.getByText(kind).parentElement?.textContent;
  await shown('Mails');
  expect(counted('Mails')).toBe('Mails2 waiting, 1 running');
  expect(counted('of-a-newer-worker')).toBe('of-a-newer-worker2 waiting, 1 running');
  expect(screen.getByRole('row', { name: /bank payouts/ }).textContent).toMatch(/no answer.*3 attempts/);
  expect(screen.getByRole('button', { name: 'Discard bank payouts' })).toBeTruthy();
  server.on('GET /api/admin/jobs', { json: { kinds, running: [], items: [] } });
  await press('Do again bank payouts');
  await shown('No job has failed');
  expect(server.seen('POST /api/admin/jobs/j1/retry')).toHaveLength(1);
});

it('[OPS-260] shows which jobs run and since when, and cancels one', async () => {
  const { id, kind, name } = JOB;
  const running = [{ id, kind, name, attempt: 2, startedAt: '2026-11-20T10:00:00.000Z' }];
  server.on('GET /api/admin/jobs', { json: { kinds: [], running, items: [] } });
  server.on('POST /api/admin/jobs/j1/cancel', { status: 204 });
  await openAdmin('/admin/jobs');
  const table = await screen.findByRole('table', { name: 'Running jobs' });
  expect(within(table).getByRole('row', { name: /bank payouts/ }).textContent).toMatch(/Sweeps2.*2026/);
  server.on('GET /api/admin/jobs', { json: { kinds: [], running: [], items: [] } });
  await press('Cancel bank payouts');
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(server.seen('POST /api/admin/jobs/j1/cancel')).toHaveLength(1);
});
