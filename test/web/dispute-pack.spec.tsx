import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import DisputePackDialog from '../../web/src/downloads/dispute-pack-dialog.js';
import { barsOf } from '../../web/src/downloads/measure-audio.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer, refused, takeFiles } from './support/server.js';

const KEY = 'POST /api/certificates/:id/dispute-pack';
let server: StubServer;
let closed = 0;

/** Decodes every file as two seconds of sound, the second one louder. */
class FakeAudio {
  decodeAudioData(bytes: ArrayBuffer) {
    if (bytes.byteLength < 4) return Promise.reject(new DOMException('no audio', 'EncodingError'));
    const sound = Float32Array.from({ length: 800 }, (_, at) => (at < 400 ? 0.25 : 0.5));
    return Promise.resolve({ duration: 2, numberOfChannels: 1, getChannelData: () => sound });
  }
}

beforeEach(() => {
  takeFiles();
  closed = 0;
  server = new StubServer({ [KEY]: { blob: new Blob(['PK']) } });
  Object.assign(globalThis, { OfflineAudioContext: FakeAudio });
  URL.createObjectURL = () => 'blob:pack';
  HTMLAnchorElement.prototype.click = () => undefined;
  URL.revokeObjectURL = () => undefined;
  signedInAs(NOOR);
  renderAt(
    '/library',
    <DisputePackDialog certificateId="c-1" title="Felt Keys" onClose={() => (closed += 1)} />,
  );
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(globalThis, 'OfflineAudioContext');
});

const download = () => userEvent.click(screen.getByRole('button', { name: 'Download ZIP' }));
const add = (content: string) =>
  userEvent.upload(
    screen.getByLabelText('Your upload'),
    new File([content], 'my\tsong.wav', { type: 'audio/wav' }),
  );

describe('[CERT-715] the dispute pack', () => {
  it('is saved without a file of the buyer', async () => {
    await download();
    await waitFor(() => expect(closed).toBe(1));
    expect(server.seen(KEY).map(({ path, body }) => [path, body])).toEqual([
      ['/api/certificates/c-1/dispute-pack', {}],
    ]);
  });

  it('gets only the name, length and bars of a file', async () => {
    await add('RIFF and a song');
    expect(await screen.findByText('my song.wav')).toBeDefined();
    await download();
    await waitFor(() => expect(closed).toBe(1));
    const bars = Array.from({ length: 400 }, (_, at) => (at < 200 ? 50 : 100));
    expect(server.seen(KEY)[0]?.body).toEqual({
      compared: { name: 'my song.wav', durationMs: 2_000, bars },
    });
  });

  it('goes on without a file that was removed or cannot be read', async () => {
    await add('RIFF and a song');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove: my song.wav' }));
    await add('x');
    expect(await screen.findByText('Your browser cannot read this audio file.')).toBeDefined();
    await download();
    await waitFor(() => expect(closed).toBe(1));
    expect(server.seen(KEY)[0]?.body).toEqual({});
  });

  it('stays open and says why, if it is refused', async () => {
    server.on(KEY, refused('TooBusy'));
    await download();
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(closed).toBe(0);
  });
});

it('[CERT-715] bars are relative to the loudest, over all channels; silence is flat', () => {
  const left = Float32Array.of(0, 0, 1, 1);
  const right = Float32Array.of(0, 0, -1, -1);
  expect(barsOf([left, right], 4)).toEqual([0, 0, 100, 100]);
  expect(barsOf([left], 2)).toEqual([0, 100]);
  expect(barsOf([Float32Array.of(0, 0)], 3)).toEqual([0, 0, 0]);
  expect(barsOf([Float32Array.of(1)], 50)).toHaveLength(50);
});
