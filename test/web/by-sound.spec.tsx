import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SimilarSamples } from '../../application/catalogue/contract.js';
import { findByFile, forgetOwnSound, ownSound } from '../../web/src/by-sound/own-sound.js';
import SoundMap, { placesOf } from '../../web/src/by-sound/sound-map.js';
import { hear, type ToHear } from '../../web/src/by-sound/sound-worker.js';
import { FilterBar } from '../../web/src/filters/filter-bar.js';
import { requestOf, useFilters } from '../../web/src/filters/filters.js';
import { player } from '../../web/src/player/player.js';
import SimilarDialog from '../../web/src/samples/similar-dialog.js';
import SearchScreen from '../../web/src/screens/search/search-screen.js';
import { askSimilar, useSimilarRequest } from '../../web/src/samples/similar-request.js';
import { SearchBox } from '../../web/src/shell/search-box.js';
import { descriptorsOf } from '../../domain/catalogue/sound/descriptors.js';
import { SOUND_VERSION } from '../../domain/catalogue/sound/facts.js';
import { MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
import { pageOf, renderAt, sampleNamed } from './support/render.js';
import { StubServer } from './support/server.js';

type Near = SimilarSamples['items'][number];
const RATE = 44_100;
const tone = (hertz: number, seconds: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / RATE));
const FACTS = { brightness: 40, punch: 60, decay: 30, noisiness: 20, warmth: 70 };
const near = (id: string, more: Partial<Near> = {}): Near => ({
  ...sampleNamed(id, { title: `Sound ${id}` }),
  reasons: ['Brighter', 'Same decay'],
  distance: 10,
  sound: FACTS,
  ...more,
});
const bars = Array.from({ length: 20 }, (_, at) => at);
const HISTOGRAMS = { brightness: bars, punch: bars, decay: bars, noisiness: bars, warmth: bars };

/** What the browser would decode from any file: this audio, or a failure. */
let pcm: Float32Array<ArrayBuffer> | undefined;
class Decoder {
  decodeAudioData() {
    if (!pcm) return Promise.reject(new Error('not audio'));
    const channel = pcm;
    return Promise.resolve({
      duration: channel.length / RATE,
      numberOfChannels: 1,
      sampleRate: RATE,
      getChannelData: () => channel,
    });
  }
}
/** Does the work of the worker in the page. */
class PageWorker {
  onmessage: ((event: { data: unknown }) => void) | undefined;
  postMessage(sound: ToHear) {
    queueMicrotask(() => this.onmessage?.({ data: hear(sound) }));
  }
  terminate() {}
}

let server: StubServer;
const before = { ...globalThis };
beforeEach(() => {
  Object.assign(globalThis, { OfflineAudioContext: Decoder, Worker: PageWorker });
  URL.createObjectURL = () => 'blob:own';
  URL.revokeObjectURL = jest.fn();
  pcm = tone(200, 0.5);
  server = new StubServer({
    'GET /api/samples': { json: pageOf([sampleNamed('x', { title: 'Other' })]) },
    'GET /api/samples/by-sound/histograms': { json: HISTOGRAMS },
    'POST /api/samples/by-sound': { json: { items: [near('a'), near('b', { distance: 100 })] } },
  });
});
afterEach(() => {
  act(() => player.close());
  act(() => forgetOwnSound());
  cleanup();
  Object.assign(globalThis, { OfflineAudioContext: before.OfflineAudioContext, Worker: before.Worker });
});

const file = (name = 'kick_take3.wav', bytes = 10): File =>
  new File([new Uint8Array(bytes)], name, { type: 'audio/wav' });
const drop = (dropped: File) =>
  fireEvent.drop(screen.getByRole('search'), { dataTransfer: { files: [dropped], types: ['Files'] } });

describe('a search by the visitor’s own sound', () => {
  it('[EAR-713] describes the sound in the browser as the server does', () => {
    const sound = tone(300, 1);
    const track = new MonoTrack(RATE);
    track.add(sound);
    const { descriptors, peaks } = hear({ channels: [sound], rateHz: RATE });
    expect(descriptors).toEqual([...(descriptorsOf(track.finish()) ?? [])]);
    expect(peaks).toHaveLength(50);
    expect(Math.max(...peaks)).toBe(100);
  });

  it('[EAR-713] a file dropped on the search field is analysed here, and only numbers are sent', async () => {
    const { path } = renderAt('/search?q=dusty&genre=Soul', <SearchScreen />);
    drop(file());
    const own = within(await screen.findByRole('region', { name: 'Your sound' }));
    expect(own.getByText('Analysed here, not uploaded')).toBeTruthy();
    const results = within(await screen.findByRole('list', { name: 'Nearest sounds' }));
    expect(results.getByText('Sound a')).toBeTruthy();
    expect(results.getAllByText('Brighter, same decay')).toHaveLength(2);
    expect(results.getByText('96')).toBeTruthy();
    expect(own.getByText('Only 45 numbers left this device.')).toBeTruthy();
    const [asked] = server.seen('POST /api/samples/by-sound');
    expect(asked?.body).toMatchObject({
      version: SOUND_VERSION,
      q: 'dusty',
      genre: ['Soul'],
      balance: 'timbre',
    });
    expect(server.requests.every(({ body }) => !(body instanceof Blob) && !(body instanceof FormData))).toBe(
      true,
    );
    await userEvent.setup().click(screen.getByRole('button', { name: 'Rhythm' }));
    await waitFor(() =>
      expect(server.seen('POST /api/samples/by-sound').at(-1)?.body).toMatchObject({ balance: 'rhythm' }),
    );
    await userEvent.setup().click(screen.getByRole('button', { name: 'Stop searching by kick_take3.wav' }));
    expect(await screen.findByText('Other')).toBeTruthy();
    expect(path()).toBe('/search?q=dusty&genre=Soul');
  });

  it('[EAR-717] the map places sounds by how they differ; arrows go to the next nearest and play it, and Enter searches from there', async () => {
    const play = jest.spyOn(player, 'play').mockResolvedValue(undefined);
    const items = [
      near('a', { distance: 1, sound: { ...FACTS, brightness: 60 } }),
      near('b', { distance: 50, sound: { ...FACTS, decay: 10 } }),
      near('c', { distance: 100, sound: { ...FACTS, brightness: 20 } }),
    ];
    const [brighter, shorter, darker] = placesOf(items, FACTS);
    expect(brighter?.x).toBeGreaterThan(200);
    expect(shorter?.y).toBeLessThan(200);
    expect(darker?.x).toBeLessThan(200);
    const [near1 = 0, middle = 0, far = 0] = placesOf(items, FACTS).map(({ radius }) => radius / 176);
    expect([near1, far]).toEqual([0.3, 1]);
    expect(middle).toBeCloseTo(0.3 + (0.7 * 49) / 99);
    const longer = Array.from({ length: 20 }, (_, at) =>
      near(`${at}`, {
        distance: 30 + at,
        sound: { ...FACTS, decay: 95 - at, brightness: FACTS.brightness + (at % 5) - 2 },
      }),
    );
    const columns = placesOf(longer, FACTS).map(({ x }) => x);
    expect(Math.max(...columns) - Math.min(...columns)).toBeGreaterThan(150);
    const Asked = () => <h1>{useSimilarRequest()?.title}</h1>;
    renderAt(
      '/search',
      <>
        <SoundMap items={items} own={FACTS} name="kick.wav" />
        <Asked />
      </>,
    );
    screen.getByRole('application', { name: /^Nearest sounds/ }).focus();
    const user = userEvent.setup();
    await user.keyboard('{ArrowLeft}{ArrowRight}');
    const map = within(screen.getByRole('region', { name: 'Map' }));
    expect(map.getByRole('status').textContent).toContain('Sound b');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(play.mock.calls.map(([{ id }]) => id)).toEqual(['a', 'b', 'c', 'c', 'b']);
    await user.keyboard('{Enter}');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sound b');
    act(() => askSimilar(null));
    play.mockRestore();
  });

  it('[EAR-713] leads from any page to the search, and the latest sound counts', async () => {
    const { path } = renderAt('/discover', <SearchBox />);
    drop(file('one.wav'));
    drop(file('two.wav'));
    await waitFor(() => expect(ownSound()).toMatchObject({ status: 'ready', name: 'two.wav' }));
    expect(path()).toBe('/search');
  });

  it.each([
    ['It is empty.', () => file('empty.wav', 0)],
    ['It is larger than 50 MB.', () => Object.defineProperty(file(), 'size', { value: 60 * 2 ** 20 })],
    [
      'Your browser cannot read it as sound. WAV, MP3, FLAC and M4A files work.',
      () => {
        pcm = undefined;
        return file('notes.txt');
      },
    ],
    [
      'It is silent.',
      () => {
        pcm = new Float32Array(RATE);
        return file();
      },
    ],
    [
      'It is longer than 5 minutes. Cut out the sound you mean.',
      () => {
        pcm = new Float32Array(301 * RATE);
        return file();
      },
    ],
  ])('[EAR-713] refuses and says why: %s', async (reason, refused) => {
    renderAt('/search', <SearchScreen />);
    await act(() => findByFile(refused(), 'refused.wav'));
    const own = within(await screen.findByRole('region', { name: 'Your sound' }));
    expect(own.getByText(`Not searched. ${reason}`)).toBeTruthy();
    expect(own.getByText('Analysed here, not uploaded')).toBeTruthy();
    expect(own.getByText('Nothing was sent.')).toBeTruthy();
    expect(server.seen('POST /api/samples/by-sound')).toHaveLength(0);
  });

  it('[EAR-714] may be recorded; the microphone is released, and a refusal says why', async () => {
    const stopTrack = jest.fn();
    class Recorder {
      state = 'inactive';
      mimeType = 'audio/webm';
      ondataavailable: ((event: { data: Blob }) => void) | undefined;
      onstop: (() => void) | undefined;
      start() {
        this.state = 'recording';
      }
      stop() {
        this.state = 'inactive';
        this.ondataavailable?.({ data: new Blob(['sound']) });
        this.onstop?.();
      }
    }
    let allowed = false;
    Object.assign(globalThis, { MediaRecorder: Recorder });
    Object.defineProperty(navigator, 'mediaDevices', {
      configurable: true,
      value: {
        getUserMedia: () =>
          allowed
            ? Promise.resolve({ getTracks: () => [{ stop: stopTrack }] })
            : Promise.reject(new DOMException('no', 'NotAllowedError')),
      },
    });
    renderAt('/search', <SearchBox />);
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Find by a sound' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Find by a sound' }));
    await visitor.click(dialog.getByRole('button', { name: 'Record a sound' }));
    expect(
      await dialog.findByText('The browser does not allow this page to use the microphone.'),
    ).toBeTruthy();
    allowed = true;
    await visitor.click(dialog.getByRole('button', { name: 'Record a sound' }));
    await visitor.click(await dialog.findByRole('button', { name: 'Stop and search' }));
    await waitFor(() => expect(ownSound()).toMatchObject({ status: 'ready', name: 'Recording' }));
    expect(stopTrack).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('[EAR-715] similar sounds are found by ear, and the visitor chooses what counts most', async () => {
  server.on('GET /api/samples/:id/similar', { json: { items: [near('a', { reasons: ['Same pitch'] })] } });
  renderAt('/discover', <SimilarDialog sample={sampleNamed('s')} onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Similar sounds' }));
  expect(await dialog.findByText('Same pitch')).toBeTruthy();
  await userEvent.setup().click(dialog.getByRole('button', { name: 'Pitch' }));
  await waitFor(() => {
    const asked = server.seen('GET /api/samples/s/similar').map(({ query }) => query.get('balance'));
    expect(asked).toEqual(['timbre', 'pitch']);
  });
  expect(server.seen('GET /api/samples/s/similar')[0]?.query.get('by')).toBe('sound');
});

describe('the sliders', () => {
  function Bar() {
    const { filters, ...bar } = useFilters();
    return (
      <FilterBar
        {...bar}
        filters={filters}
        request={{ q: 'piano', ...requestOf(filters) }}
        total={1}
        clearLabel="Clear"
      />
    );
  }

  it('[EAR-716] set ranges in the address, with histograms of the other filters; each can be cleared', async () => {
    const { path } = renderAt('/search?q=piano', <Bar />);
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Sound Any' }));
    const lowest = await screen.findByRole('slider', { name: 'Lowest brightness' });
    expect(screen.getAllByRole('slider')).toHaveLength(12);
    expect(lowest.getAttribute('aria-valuetext')).toBe('0 of 100');
    fireEvent.change(lowest, { target: { value: '30' } });
    fireEvent.change(screen.getByRole('slider', { name: 'Highest brightness' }), { target: { value: '80' } });
    await waitFor(() => expect(path()).toBe('/search?q=piano&brightness=30..80'));
    expect(await screen.findByRole('button', { name: 'Sound 1 set' })).toBeTruthy();
    await waitFor(() => {
      const asked = server.seen('GET /api/samples/by-sound/histograms').at(-1)?.query;
      expect([asked?.get('q'), asked?.get('brightness')]).toEqual(['piano', '30..80']);
    });
    await visitor.click(screen.getByRole('button', { name: 'Clear brightness' }));
    await waitFor(() => expect(path()).toBe('/search?q=piano'));
  });

  it('[EAR-716] take no range that is turned or not a number from an address', () => {
    const { path } = renderAt('/search?punch=90..10&decay=a..b&warmth=10..40&noisiness=0..100', <Bar />);
    expect(screen.getByRole('button', { name: 'Sound 1 set' })).toBeTruthy();
    expect(path()).toContain('warmth=10..40');
  });
});
