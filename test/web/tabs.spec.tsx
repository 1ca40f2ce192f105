import { afterEach, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { Tabs } from '../../web/src/ui/tabs.js';

const WIDTH = 150;
const TABS = ['saved', 'downloads', 'collections'].map((id) => ({ id, label: id }));

afterEach(cleanup);

it('[WEB-931] tabs that are wider than the screen are scrolled so that the selected tab is in the middle', () => {
  // The list is two tabs wide.
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = TABS.findIndex(({ id }) => id === this.getAttribute('data-tab'));
    return at < 0 ? new DOMRect(0, 0, 2 * WIDTH, 48) : new DOMRect(at * WIDTH, 0, WIDTH, 48);
  });
  const tabs = (value: string) => <Tabs tabs={TABS} value={value} onChange={() => {}} label="Library" />;
  const { rerender } = render(tabs('collections'));
  const list = screen.getByRole('tablist');
  expect(list.scrollLeft).toBe(2.5 * WIDTH - WIDTH);
  list.scrollLeft = 0;
  rerender(tabs('downloads'));
  expect(list.scrollLeft).toBe(1.5 * WIDTH - WIDTH);
});
