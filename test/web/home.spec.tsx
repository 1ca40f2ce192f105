import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { HomePage, PackCard } from '../../application/catalogue/contract.js';
import HomeScreen from '../../web/src/screens/home/home-screen.js';
import { renderAt, sampleNamed } from './support/render.js';
import { StubServer } from './support/server.js';

const { creator } = sampleNamed('a');
const packNamed = (title: string): PackCard => ({
  id: title.replaceAll(' ', '-'),
  title,
  slug: title.toLowerCase().replaceAll(' ', '-'),
  creator,
  genre: 'Soul',
  mood: 'Nostalgic',
  sampleCount: 64,
  artworkUrl: null,
  description: '',
  publishedAt: '2026-01-01T00:00:00Z',
});
const creatorNamed = (displayName: string, downloads: number): HomePage['topCreators'][number] => ({
  ...creator,
  id: displayName.replaceAll(' ', '-'),
  displayName,
  handle: displayName.replaceAll(' ', '_'),
  downloads,
  sampleCount: 10,
});
const page: HomePage = {
  hero: { key: 'A Minor', bpm: 90 },
  topCreators: [creatorNamed('Low Ceiling', 18_240), creatorNamed('Junie Okafor', 1)],
  featuredPacks: ['Kitchen Table Soul', 'Sugar Glass', 'Velvet Hours', 'Stairwell Breaks'].map(packNamed),
};

beforeEach(() => {
  // The fluid background has tests of its own.
  window.matchMedia = (media) =>
    ({ media, matches: media.includes('reduced-motion') }) as unknown as MediaQueryList;
  new StubServer({
    'GET /api/home': { json: page },
    'GET /api/discover': {
      json: { rareFinds: [], hotPicks: [], trendingDiscoveries: [], trending: [sampleNamed('a')] },
    },
    'GET /api/plans': { json: { items: [] } },
    'GET /api/subscription': { json: { plan: null, status: null } },
  });
});
afterEach(cleanup);

const show = () => ({ visitor: userEvent.setup(), ...renderAt('/', <HomeScreen />) });

it('[HOME-01] "Get Started" scrolls to the pricing section, "Explore Sounds" goes to /sounds', async () => {
  const scrolled: Element[] = [];
  Element.prototype.scrollIntoView = function () {
    scrolled.push(this as Element);
  };
  const { visitor, path } = show();
  await visitor.click(screen.getByRole('button', { name: 'Get Started' }));
  const pricing = screen.getByRole('region', { name: /One credit, one sample/ });
  expect(scrolled).toEqual([pricing]);
  await visitor.click(screen.getByRole('link', { name: 'Explore Sounds' }));
  expect(path()).toBe('/sounds');
});

it('[HOME-02] the pitch stands on the page', () => {
  const { container } = show();
  const pitch = container.querySelector('.hero')?.textContent ?? '';
  expect(pitch).toMatch(/create, download, get paid/i);
  expect(pitch).toMatch(/credits\s+roll over monthly and never expire/i);
});

it('[HOME-03] the strip of creators keeps the order of downloads and scrolls by 300 px', async () => {
  const scrollBy = jest.fn();
  Element.prototype.scrollBy = scrollBy as unknown as typeof Element.prototype.scrollBy;
  const { visitor } = show();
  const strip = await screen.findByRole('region', { name: 'Top Creators' });
  await within(strip).findByText('18,240 downloads');
  const links = within(strip).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/creator/Low_Ceiling',
    '/creator/Junie_Okafor',
  ]);
  expect(links[1]?.textContent).toContain('1 download');
  await visitor.click(within(strip).getByRole('button', { name: 'Scroll Top Creators on' }));
  await visitor.click(within(strip).getByRole('button', { name: 'Scroll Top Creators back' }));
  expect(scrollBy.mock.calls).toEqual([
    [{ left: 300, behavior: 'smooth' }],
    [{ left: -300, behavior: 'smooth' }],
  ]);
});

it('[HOME-04] the streaming button leads to the playlist that whoever runs the site names', () => {
  const named = document.createElement('meta');
  named.name = 'offcut-playlist';
  named.content = 'https://music.example/playlist/1';
  document.head.append(named);
  show();
  expect(screen.getByRole('link', { name: 'Listen to the playlist' }).getAttribute('href')).toBe(
    named.content,
  );
  named.remove();
});

it('[HOME-04] [HOME-07] four featured packs, a streaming service, and a footer at the end', async () => {
  const { container } = show();
  const featured = await screen.findByRole('region', { name: 'Featured Sound Packs' });
  await within(featured).findAllByText('Velvet Hours');
  const packs = new Set(
    within(featured)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
      .filter((href) => href?.startsWith('/pack/')),
  );
  expect([...packs]).toEqual(page.featuredPacks.map(({ slug }) => `/pack/${slug}/${creator.handle}`));
  // Shows the values of the first pack, and no invented ones.
  expect(container.querySelector('.hero-sleeves')?.textContent).toContain('A Minor');
  expect(container.querySelector('.hero-sleeves')?.textContent).toContain('90 BPM');
  const credited = screen.getByRole('region', { name: /credit the scraps/ });
  const service = within(credited).getByRole('link', { name: 'Find us on Spotify' });
  expect(new URL(service.getAttribute('href') ?? '').hostname).toBe('open.spotify.com');
  const footer = screen.getByRole('contentinfo');
  const last = [...container.querySelectorAll('section, footer')].at(-1);
  expect(last).toBe(footer);
});
