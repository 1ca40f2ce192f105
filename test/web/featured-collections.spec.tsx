import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAdmin, page, press, shown, startAdministration } from './support/admin.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

describe('featured collections', () => {
  const collection = (slug: string, more: object = {}) => ({
    id: slug,
    slug,
    name: `The ${slug}`,
    description: '',
    samples: 12,
    category: 'Genres',
    artworkUrl: null,
    updatedAt: null,
    packs: [],
    ...more,
  });
  let slugs: string[];
  beforeEach(() => {
    slugs = ['soul', 'drill'];
    server
      .on('GET /api/admin/featured-collections', () => ({ json: { slugs } }))
      .on('PUT /api/admin/featured-collections', ({ body }) => {
        ({ slugs } = body as { slugs: string[] });
        return { json: { slugs } };
      })
      .on('GET /api/collections', ({ query }) =>
        query.get('cursor')
          ? page(collection('soul'), collection('junie', { category: 'Artists' }))
          : { json: { items: [collection('drill'), collection('latin')], nextCursor: 'next' } },
      );
  });
  const names = (list: string) =>
    within(screen.getByRole('list', { name: list }))
      .queryAllByRole('link')
      .map(({ textContent }) => textContent);
  const chosen = () => names('Featured collections');
  const pressByKeyboard = async (button: HTMLElement, keys = '{Enter}') => {
    act(() => button.focus());
    await userEvent.keyboard(keys);
  };

  it('[SND-07] are chosen and put in order with the keyboard, and saved as one', async () => {
    await openAdmin();
    await userEvent.click(await screen.findByRole('link', { name: 'Content' }));
    await userEvent.click(await screen.findByRole('link', { name: 'Collections' }));
    await shown('2 of 12');
    expect(chosen()).toEqual(['The soul', 'The drill']);
    expect(names('Collections to feature')).toEqual(['The drill', 'The junie', 'The latin', 'The soul']);
    await pressByKeyboard(screen.getByRole('button', { name: 'Feature The junie' }));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Stop featuring The junie');
    await pressByKeyboard(screen.getByRole('button', { name: 'Move The junie up' }), '{Enter} ');
    expect(chosen()).toEqual(['The junie', 'The soul', 'The drill']);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move The junie up');
    await shown('The junie is at 1 of 3.');
    const list = within(screen.getByRole('list', { name: 'Featured collections' }));
    await pressByKeyboard(list.getByRole('button', { name: 'Stop featuring The soul' }));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Stop featuring The drill');
    await press('Save');
    await shown('The featured collections are saved');
    expect(server.seen('PUT /api/admin/featured-collections')[0]?.body).toEqual({
      slugs: ['junie', 'drill'],
    });
    expect(chosen()).toEqual(['The junie', 'The drill']);
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('ariaDisabled', 'true');
  });

  it('[SND-07] are found by name, twelve at most, and what is gone is left out', async () => {
    const many = Array.from({ length: 13 }, (_, at) => collection(`genre-${at}`));
    server.on('GET /api/collections', page(...many));
    slugs = ['burnt', ...many.slice(0, 11).map(({ slug }) => slug)];
    await openAdmin('/admin/collections');
    await shown('burnt: no longer in the catalogue. Saving removes it.');
    await userEvent.type(screen.getByLabelText('Find a collection'), 'genre-1');
    expect(names('Collections to feature')).toHaveLength(4);
    await press('Feature The genre-11');
    await shown('12 of 12');
    expect(screen.getByRole('button', { name: 'Feature The genre-12' })).toHaveProperty('disabled', true);
    await userEvent.type(screen.getByLabelText('Find a collection'), 'x');
    await shown('No collection matches “genre-1x”');
    await press('Save');
    await shown('The featured collections are saved');
    expect(slugs).toEqual(many.slice(0, 12).map(({ slug }) => slug));
    expect(document.body.textContent).not.toContain('burnt');
  });

  it('[SND-07] say what stands there where none is chosen, and that a refusal changed nothing', async () => {
    server.on('GET /api/admin/featured-collections', refused('InternalError', { title: 'It broke' }));
    await openAdmin('/admin/collections');
    await shown('The collections could not be loaded');
    slugs = [];
    server.on('GET /api/admin/featured-collections', () => ({ json: { slugs } }));
    await press(/again/i);
    await shown('No collection is chosen.');
    server.on(
      'PUT /api/admin/featured-collections',
      refused('InvalidRequest', { title: 'There is no collection soul' }),
    );
    await press('Feature The soul');
    await press('Save');
    await shown('Nothing was changed');
    await shown('There is no collection soul');
    expect(chosen()).toEqual(['The soul']);
    await press('Discard changes');
    expect(chosen()).toEqual([]);
  });

  it('[SND-07] are asked about before unsaved ones are left', async () => {
    await openAdmin('/admin/collections');
    await press('Feature The latin');
    await userEvent.click(screen.getByRole('link', { name: 'Credits' }));
    await shown('Discard changes?');
    await press('Cancel');
    expect(chosen()).toHaveLength(3);
  });

  it('[SND-07] say so where there is no collection', async () => {
    server.on('GET /api/collections', page());
    await openAdmin('/admin/collections');
    await shown('No collections yet');
  });
});
