import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { User } from '../../application/accounts/contract.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { latestAvatar, useOwnAvatar } from '../../web/src/api/storage/own-avatar.js';
import { Avatar } from '../../web/src/ui/avatar.js';
import { NOOR, renderAt, sampleNamed } from './support/render.js';
import { StubServer, exampleWith, refused } from './support/server.js';

let server: StubServer;
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  server = new StubServer();
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  warn.mockRestore();
});

describe('the visitor’s picture', () => {
  const creator: User = { ...NOOR, isCreator: true };
  function Face({ user }: { user: User }) {
    return <Avatar name={user.displayName} url={useOwnAvatar(user)} />;
  }
  const show = (user: User) => {
    const { container } = renderAt('/', <Face user={user} />);
    return () => container.querySelector('img')?.getAttribute('src') ?? container.textContent;
  };
  const NO_FACTS = { id: null, created_at: null, last_accessed_at: null, metadata: null };
  const stored = (name: string, updated_at: string) => ({
    ...NO_FACTS,
    name,
    updated_at: `${updated_at}T00:00:00Z`,
    publicUrl: `/stored/${name}`,
  });

  it('[HDR-09] is the one that profile and account share', () => {
    const face = show({ ...creator, avatarUrl: '/media/avatars/noor.webp' });
    expect(face()).toBe('/media/avatars/noor.webp');
    expect(server.requests).toEqual([]);
  });

  it('[HDR-09] is the creator profile’s where the account has none', async () => {
    server.on(
      'GET /api/creator/profile',
      exampleWith('GET /api/creator/profile', { avatarUrl: '/media/avatars/p.webp' }),
    );
    const face = show(creator);
    await waitFor(() => expect(face()).toBe('/media/avatars/p.webp'));
  });

  it('[HDR-09] else the stored file with the highest number', async () => {
    server
      .on(
        'GET /api/creator/profile',
        exampleWith('GET /api/creator/profile', { username: 'Noor_Haddad', avatarUrl: null }),
      )
      .on('GET /api/storage/list', {
        json: {
          data: [
            stored('avatar-9.png', '2026-03-01'),
            stored('avatar-10.jpg', '2026-01-01'),
            stored('profile.json', '2026-04-01'),
          ],
        },
      });
    const face = show(creator);
    await waitFor(() => expect(face()).toBe('/stored/avatar-10.jpg'));
    expect(server.seen('GET /api/storage/list')[0]?.query.get('prefix')).toBe('Users/Noor_Haddad/Profile');
  });

  it('[HDR-09] of two with one number the newer', () => {
    const files = [stored('avatar-2.png', '2026-01-01'), stored('avatar-2.webp', '2026-02-01')];
    expect(latestAvatar(files)).toBe('/stored/avatar-2.webp');
    expect(latestAvatar([])).toBeNull();
  });

  it('[HDR-09] else initials; a look-up that fails only warns', async () => {
    server.on('GET /api/creator/profile', refused('NotSignedIn'));
    const face = show(creator);
    await waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    expect(face()).toBe('NH');
    cleanup();
    expect(show(NOOR)()).toBe('NH');
  });

  it('[HDR-09] a picture that does not load gives way to initials, a new one is shown again', () => {
    const { container, rerender } = render(<Avatar name="Noor Haddad" url="/gone.webp" />);
    fireEvent.error(container.querySelector('img') as Element);
    expect(container.textContent).toBe('NH');
    expect(warn).toHaveBeenCalledTimes(1);
    rerender(<Avatar name="Noor Haddad" url="/new.webp" />);
    expect(container.querySelector('img')?.getAttribute('src')).toBe('/new.webp');
  });
});

describe('a length', () => {
  const opened: HTMLAudioElement[] = [];
  const Native = globalThis.Audio;
  beforeEach(() => {
    opened.length = 0;
    globalThis.Audio = function () {
      const audio = document.createElement('audio');
      opened.push(audio);
      return audio;
    } as unknown as typeof Audio;
  });
  afterEach(() => {
    globalThis.Audio = Native;
  });

  it('[PROF-09] that is missing is filled in from the audio file as m:ss, once per file', async () => {
    const unknown = sampleNamed('a', { durationMs: 0, previewUrl: '/media/previews/unknown.mp3' });
    const samples = [unknown, sampleNamed('b', { durationMs: 21_000 })];
    renderAt('/creator/x', <SampleList samples={samples} place="creator" label="Samples" />);
    const times = () => [...document.querySelectorAll('.row-time')].map(({ textContent }) => textContent);
    expect(times()).toEqual(['0:00', '0:21']);
    expect(opened.map(({ src }) => new URL(src).pathname)).toEqual(['/media/previews/unknown.mp3']);
    Object.defineProperty(opened[0], 'duration', { value: 47.4 });
    await act(async () => fireEvent(opened[0] as Element, new Event('loadedmetadata')));
    expect(times()).toEqual(['0:47', '0:21']);
    cleanup();
    renderAt('/creator/x', <SampleList samples={[unknown]} place="creator" label="Samples" />);
    await waitFor(() => expect(times()).toEqual(['0:47']));
    expect(opened).toHaveLength(1);
    expect(screen.getByRole('list', { name: 'Samples' })).toBeTruthy();
  });
});
