import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { deliverInTray } from '../../web/src/downloads/deliver.js';
import TrayButton from '../../web/src/downloads/tray-button.js';
import { type Track, track } from '../../web/src/downloads/tray.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { StubServer, takeFiles } from './support/server.js';

const again = jest.fn();

beforeEach(() => {
  new StubServer({ 'POST /api/auth/sign-out': { status: 204 }, 'GET /files/a.wav': {} });
  takeFiles();
  signedInAs(NOOR);
  again.mockClear();
  renderAt('/search', <TrayButton />);
});
afterEach(leave);

const begin = (title: string, more: Partial<Parameters<typeof track>[0]> = {}): Track => {
  let change: Track = () => undefined;
  act(() => {
    change = track({ title, state: 'downloading', again, ...more });
  });
  return change;
};
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const list = () => within(screen.getByRole('group', { name: 'Downloads' }));

describe('the tray', () => {
  it('[DL-730] counts, and lists every download of the visit', async () => {
    const first = begin('Felt keys');
    begin('5 samples', { state: 'preparing', note: '6 credits spent, 3 left.' });
    act(() => first({ progress: { bytes: 1_200_000, of: 4_900_000 } }));
    await userEvent.click(button('Downloads, 2 under way'));
    const rows = await waitFor(() => list().getAllByRole('listitem'));
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '5 samplesPreparing6 credits spent, 3 left.',
      'Felt keysDownloading1.2 MB of 4.9 MB',
    ]);
    act(() => first({ state: 'saved', progress: undefined }));
    expect(button('Downloads, 1 under way')).toBeTruthy();
    await userEvent.click(list().getByRole('button', { name: 'Clear finished' }));
    expect(list().getAllByRole('listitem')).toHaveLength(1);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Downloads' })).toBeNull();
  });

  it('[DL-730] repeats what failed, in an entry of its own', async () => {
    const change = begin('Felt keys');
    act(() => change({ state: 'failed' }));
    await userEvent.click(button('Downloads, 1 failed'));
    await userEvent.click(
      (await waitFor(() => list().getByRole('button', { name: /^Try again/ }))) as HTMLElement,
    );
    expect(again).toHaveBeenCalledTimes(1);
    expect(list().queryByText('Felt keys')).toBeNull();
  });

  it('[DL-731] shows the newest download, or the one that failed, until it is done for a while', () => {
    jest.useFakeTimers();
    const first = begin('Felt keys');
    const second = begin('Rhodes');
    expect([screen.queryByText('Rhodes'), screen.queryByText('Felt keys')]).toEqual([
      expect.anything(),
      null,
    ]);
    act(() => first({ state: 'failed' }));
    expect(screen.getByText('Download failed').closest('[role=alert]')?.textContent).toContain('Felt keys');
    act(() => screen.getByRole('button', { name: 'Hide this download' }).click());
    act(() => second({ state: 'saved' }));
    expect(screen.getByText('Downloaded')).toBeTruthy();
    act(() => jest.advanceTimersByTime(6_000));
    expect(screen.queryByText('Downloaded')).toBeNull();
    expect(button('Downloads, 1 failed')).toBeTruthy();
    jest.useRealTimers();
  });

  it('[DL-730] shows a file that arrives, and forgets all when the visitor signs out', async () => {
    URL.createObjectURL = () => 'blob:a';
    URL.revokeObjectURL = () => undefined;
    HTMLAnchorElement.prototype.click = () => undefined;
    await act(() => deliverInTray({ url: '/files/a.wav', filename: 'a.wav' }, { title: 'Felt keys', again }));
    expect(screen.getByText('Downloaded')).toBeTruthy();
    await act(() => signOut());
    expect(screen.queryByText('Felt keys')).toBeNull();
  });
});
