import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { PackCard, PackDetail, Sample } from '../../application/catalogue/contract.js';
import { markOwned } from '../../web/src/downloads/owned.js';
import DiscoverScreen from '../../web/src/screens/discover/discover-screen.js';
import PackScreen from '../../web/src/screens/pack/pack-screen.js';
import SearchScreen from '../../web/src/screens/search/search-screen.js';
import SoundsScreen from '../../web/src/screens/sounds/sounds-screen.js';
import { pageOf, renderAt, sampleNamed } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;

function packNamed(title: string, more: Partial<PackCard> = {}): PackCard {
  const slug = title.toLowerCase().replaceAll(' ', '-');
  return {
    id: slug,
    title,
    slug,
    creator: sampleNamed('a').creator,
    genre: 'Lofi',
    mood: 'Nostalgic',
    sampleCount: 64,
    artworkUrl: null,
    description: 'One upright.',
    publishedAt: '2026-01-01T00:00:00Z',
    ...more,
  };
}
const detailOf = (title: string, samples: Sample[], more: Partial<PackDetail> = {}): PackDetail => ({
  ...packNamed(title),
  samples,
  totalCostCredits: samples.length,
  packCostCredits: null,
  ...more,
});

beforeEach(() => {
  server = new StubServer({ 'GET /api/samples': { json: pageOf([sampleNamed('a')], 1) } });
});
afterEach(cleanup);

describe('Sounds', () => {
  const rows = (packs: PackCard[]) => {
    const genre = {
      id: 'genre-lofi',
      name: 'Lofi',
      description: '',
      samples: 64,
      slug: 'genre-lofi',
      category: 'Genres',
      artworkUrl: null,
      updatedAt: null,
      packs,
    };
    const genres = packs.length > 0 ? [genre] : [];
    return {
      newReleases: packs,
      popularThisWeek: packs,
      trendingGenres: genres,
      featuredCollections: genres,
    };
  };

  it('[SND-02] [SND-04] shows the four rows, each with arrows and a way to see all', async () => {
    server.on('GET /api/sounds', { json: rows([packNamed('Rented Piano')]) });
    renderAt('/sounds', <SoundsScreen />);
    await screen.findAllByText('Rented Piano');
    for (const title of ['New releases', 'Popular this week', 'Trending genres', 'Featured collections']) {
      const row = within(screen.getByRole('region', { name: title }));
      expect(row.getByRole('button', { name: `Scroll ${title} on` })).toBeTruthy();
      expect(row.getByRole('link', { name: `See all ${title}` })).toBeTruthy();
    }
  });

  it('[SND-04] "See all" opens the row as a page', async () => {
    server.on('GET /api/sounds', { json: rows([packNamed('Rented Piano')]) });
    renderAt('/sounds?row=trending-genres', <SoundsScreen />);
    expect(await screen.findByRole('heading', { level: 1, name: 'Trending genres' })).toBeTruthy();
    expect(screen.getByText('1 genre')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Lofi' }).getAttribute('href')).toBe('/collection/genre-lofi');
  });

  it('[SND-02] leaves out a row with nothing of its own', async () => {
    server.on('GET /api/sounds', { json: { ...rows([packNamed('Rented Piano')]), popularThisWeek: [] } });
    renderAt('/sounds', <SoundsScreen />);
    await screen.findAllByText('Rented Piano');
    expect(screen.queryByRole('region', { name: 'Popular this week' })).toBeNull();
  });

  it('[SND-04] the arrows scroll by 300 px', async () => {
    server.on('GET /api/sounds', { json: rows([packNamed('Rented Piano')]) });
    renderAt('/sounds', <SoundsScreen />);
    await screen.findAllByText('Rented Piano');
    const steps: number[] = [];
    Element.prototype.scrollBy = ((options: ScrollToOptions) => void steps.push(options.left ?? 0)) as never;
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Scroll New releases on' }));
    await visitor.click(screen.getByRole('button', { name: 'Scroll New releases back' }));
    expect(steps).toEqual([300, -300]);
  });

  it('[SND-03] says that it loads, and that there is nothing', async () => {
    server.on('GET /api/sounds', { json: rows([]) });
    renderAt('/sounds', <SoundsScreen />);
    expect(screen.getByText('Loading packs...')).toBeTruthy();
    expect(await screen.findByText('No packs found')).toBeTruthy();
  });

  it('says what failed and tries again', async () => {
    server.on('GET /api/sounds', refused('InternalError', { title: 'The shelf fell over' }));
    renderAt('/sounds', <SoundsScreen />);
    expect(await screen.findByText('The shelf fell over')).toBeTruthy();
    server.on('GET /api/sounds', { json: rows([packNamed('Rented Piano')]) });
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findAllByText('Rented Piano')).length).toBeGreaterThan(0);
  });
});

describe('Discover', () => {
  it('[SND-04] "See all" of a row opens the packs of that very row', async () => {
    server.on('GET /api/discover', { json: page });
    renderAt('/discover', <DiscoverScreen />);
    const link = await screen.findByRole('link', { name: 'See all RARE FINDS' });
    expect(link.getAttribute('href')).toBe('/discover?row=rare-finds');
    cleanup();
    renderAt('/discover?row=rare-finds', <DiscoverScreen />);
    await screen.findByRole('heading', { level: 1, name: 'RARE FINDS' });
    expect(screen.getByText('1 pack')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Rented Piano' })).toBeTruthy();
    expect(screen.queryByText('Slow Weather')).toBeNull();
  });

  const page = {
    rareFinds: [packNamed('Rented Piano')],
    trending: [sampleNamed('t')],
    hotPicks: [sampleNamed('h')],
    trendingDiscoveries: [packNamed('Slow Weather')],
  };

  it('[DISC-01] [DISC-04] shows two rows of packs and two charts', async () => {
    server.on('GET /api/discover', { json: page });
    renderAt('/discover', <DiscoverScreen />);
    await screen.findAllByText('Slow Weather');
    for (const title of ['RARE FINDS', 'TRENDING', 'HOT PICKS', 'Trending discoveries']) {
      expect(screen.getByRole('heading', { name: title })).toBeTruthy();
    }
    const card = within(screen.getByRole('region', { name: 'RARE FINDS' }));
    expect(card.getByText('RP')).toBeTruthy();
    expect(card.getByRole('link', { name: 'Wren Abbott' }).getAttribute('href')).toBe('/creator/Wren_Abbott');
    expect(card.getByText('64 samples')).toBeTruthy();
  });

  it('[DISC-03] says that nothing matches', async () => {
    server.on('GET /api/samples', { json: pageOf([]) });
    const { path } = renderAt('/discover?mood=Dark', <DiscoverScreen />);
    expect(await screen.findByText('No Results Found')).toBeTruthy();
    expect(screen.getByText('Try adjusting your filters to find more tracks')).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear the filters' }));
    expect(path()).toBe('/discover');
  });

  it('[DISC-02] asks the server by the rules of the search page', async () => {
    renderAt('/discover?mood=Dark&mood=Chill&bpmMin=70&key=F%23+Minor', <DiscoverScreen />);
    await screen.findByText('1 result');
    const query = server.seen('GET /api/samples')[0]?.query;
    expect(query?.getAll('mood')).toEqual(['Dark', 'Chill']);
    expect([query?.get('bpmMin'), query?.get('bpmMax'), query?.get('key'), query?.get('mode')]).toEqual([
      '70',
      null,
      'F# Minor',
      'search',
    ]);
  });
});

describe('Search', () => {
  it('[SRCH-01] names the query and counts one track', async () => {
    renderAt('/search?q=piano', <SearchScreen />);
    expect(screen.getByRole('heading', { name: 'Search results for "piano"' })).toBeTruthy();
    expect(await screen.findByText('1 track found')).toBeTruthy();
  });

  it('[SRCH-01] is titled "All Tracks" without a query', async () => {
    server.on('GET /api/samples', { json: pageOf([sampleNamed('a'), sampleNamed('b')]) });
    renderAt('/search', <SearchScreen />);
    expect(screen.getByRole('heading', { name: 'All Tracks' })).toBeTruthy();
    expect(await screen.findByText('2 tracks found')).toBeTruthy();
  });

  it('[SRCH-540] shows the nearest tracks with the dropped words struck through', async () => {
    server.on('GET /api/samples', {
      json: { ...pageOf([sampleNamed('a')]), interpretation: { dropped: ['minor'] } },
    });
    renderAt('/search?q=minor+kick', <SearchScreen />);
    expect(await screen.findByText('minor', { selector: 'del' })).toBeTruthy();
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('[SRCH-707] sorts by the address; relevance needs a text, and Back undoes', async () => {
    const { path, back } = renderAt('/search?q=piano', <SearchScreen />);
    // Phones show a second list, beside "Filter".
    const order = () => screen.getAllByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })[0]!;
    const names = () => Array.from(order().options, ({ textContent }) => textContent);
    expect(names()).toEqual(['Relevance', 'New', 'Popular', 'Tempo', 'Length']);
    await userEvent.setup().selectOptions(order(), 'Tempo');
    expect(path()).toBe('/search?q=piano&sort=tempo');
    expect(server.seen('GET /api/samples').at(-1)?.query.get('sort')).toBe('tempo');
    await back();
    expect(path()).toBe('/search?q=piano');
    cleanup();
    renderAt('/search?sort=length', <SearchScreen />);
    expect(names()).toEqual(['New', 'Popular', 'Tempo', 'Length']);
    expect(order().value).toBe('length');
  });

  it('[SRCH-02] offers "Clear all filters" exactly while one is active, and says what to try', async () => {
    server.on('GET /api/samples', { json: pageOf([]) });
    const { path } = renderAt('/search?q=piano&genre=Soul', <SearchScreen />);
    expect(await screen.findByText('No Results Found')).toBeTruthy();
    expect(screen.getByText('Try searching for a different track name, artist, or pack')).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear all filters' }));
    expect(path()).toBe('/search?q=piano');
    expect(screen.queryByRole('button', { name: 'Clear all filters' })).toBeNull();
  });

  it('[SRCH-720] offers the genres where nothing was found', async () => {
    server.on('GET /api/samples', { json: pageOf([]) });
    const { path } = renderAt('/search?q=piano', <SearchScreen />);
    await userEvent.setup().click(await screen.findByRole('link', { name: 'Boom-Bap' }));
    expect(path()).toBe('/search?genre=Boom-Bap');
  });

  it('[SRCH-721] makes the rows lower on request, and remembers it', async () => {
    server.on('GET /api/samples', { json: pageOf([sampleNamed('a')]) });
    const { container } = renderAt('/search', <SearchScreen />);
    await screen.findByRole('listitem');
    const isCompact = () => container.querySelector('.sample-list[data-compact]') !== null;
    expect(isCompact()).toBe(false);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Compact rows' }));
    expect(isCompact()).toBe(true);
    expect(localStorage.getItem('compact-rows')).toBe('true');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Compact rows' }));
    expect(isCompact()).toBe(false);
  });
});

describe('the pack page', () => {
  const show = (address: string) =>
    renderAt(
      address,
      <Routes>
        <Route path="/pack/:slug/:creator" element={<PackScreen />} />
        <Route path="/pack/:slug?" element={<PackScreen />} />
      </Routes>,
    );

  it('[PACK-01] shows cover initials, creator, name, count, genre, description and rows', async () => {
    server.on('GET /api/packs/:creator/:slug', { json: detailOf('Rented Piano', [sampleNamed('a')]) });
    show('/pack/rented-piano/Wren_Abbott');
    expect(screen.getByText('Loading pack…')).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 1, name: 'Rented Piano' })).toBeTruthy();
    for (const text of ['64 samples', 'Lofi', 'One upright.', 'RP']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('[WEB-20] shows whether the pack is saved by the server’s word, however much was saved since', async () => {
    const pack = { ...(detailOf('Rented Piano', [sampleNamed('a')]) as object), saved: true };
    server.on('GET /api/packs/:creator/:slug', { json: pack });
    show('/pack/rented-piano/Wren_Abbott');
    const button = await screen.findByRole('button', { name: 'Saved' });
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(server.seen('GET /api/library/saved')).toHaveLength(0);
  });

  it.each([
    ['/pack/rented-piano/Wren_Abbott', 'Sounds', '/sounds'],
    ['/pack/rented-piano/Wren_Abbott?back=collections', 'Collections', '/collections'],
  ])('[PACK-02] leads from %s back to %s', async (address, name, href) => {
    server.on('GET /api/packs/:creator/:slug', { json: detailOf('Rented Piano', []) });
    show(address);
    await screen.findByText('No samples found');
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  });

  it('[PACK-03] says "Pack not found" for a missing parameter and for an unknown pack', async () => {
    show('/pack/rented-piano');
    expect(screen.getByText('Pack not found')).toBeTruthy();
    cleanup();
    show('/pack/gone/Wren_Abbott');
    expect(await screen.findByText('Pack not found')).toBeTruthy();
  });

  it('[PACK-06] the button shows what the dialog will ask, at once after a purchase, and what is owned', async () => {
    const samples = [
      sampleNamed('a', { creditCost: 2, owned: true }),
      sampleNamed('b', { creditCost: 3 }),
      sampleNamed('c', { creditCost: 8, previewUrl: null }),
    ];
    server.on('GET /api/packs/:creator/:slug', { json: detailOf('Rented Piano', samples) });
    show('/pack/rented-piano/Wren_Abbott');
    const button = await screen.findByRole('button', { name: /^Download pack/ });
    expect(within(button).getByTitle('3 credits').textContent).toContain('3');
    act(() => markOwned(['b']));
    expect((await within(button).findByTitle('Owned')).textContent).toContain('0');
  });

  it('[PACK-04] goes on to the current address of a renamed pack', async () => {
    server.on('GET /api/packs/:creator/:slug', { json: detailOf('Rented Piano', []) });
    const { path } = show('/pack/old-name/Wren_Abbott?back=collections');
    await waitFor(() => expect(path()).toBe('/pack/rented-piano/Wren_Abbott?back=collections'));
  });
});
