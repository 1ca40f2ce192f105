import { describe, expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { BarChart } from '../../web/src/charts/bar-chart.js';
import { chartOfDays } from '../../web/src/charts/days.js';
import { labelledOf, scaleOf } from '../../web/src/charts/chart-frame.js';
import { ExactMoney } from '../../web/src/ui/money.js';

describe('the scale of a chart', () => {
  it.each([
    [19_000_000, 10_000, [0, 5_000_000, 10_000_000, 15_000_000, 20_000_000]],
    [24_000_000, 10_000, [0, 6_000_000, 12_000_000, 18_000_000, 24_000_000]],
    // 2.5 cents would be shown as 2.
    [96_000, 10_000, [0, 30_000, 60_000, 90_000, 120_000]],
    [0, 10_000, [0, 10_000, 20_000, 30_000, 40_000]],
    [134, 1, [0, 40, 80, 120, 160]],
  ])('of at most %d in units of %d has round lines that reach it', (most, unit, lines) => {
    expect(scaleOf(most, unit)).toEqual(lines);
  });

  it('counts in whole things', () => {
    expect(scaleOf(1, 1)).toEqual([0, 1, 2, 3, 4]);
    expect(scaleOf(5, 1)).toEqual([0, 2, 4, 6, 8]);
    expect(scaleOf(0, 1)).toEqual([0, 1, 2, 3, 4]);
  });

  it('labels as many as there is room for', () => {
    expect(labelledOf(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelledOf(30, 6)).toEqual([0, 5, 10, 15, 20, 25]);
    expect(labelledOf(365, 4)).toHaveLength(4);
  });
});

const POINTS = [
  { date: '2026-11-18', downloads: 134, revenueMicroUsd: 14_660_000 },
  { date: '2026-11-19', downloads: 0, revenueMicroUsd: 0 },
];

describe('a bar chart', () => {
  it('draws no bar for nothing, and names the bar that keys reach', () => {
    render(<BarChart {...chartOfDays(POINTS, 'revenue').chart} />);
    const chart = screen.getByRole('slider', { name: 'Revenue a day' });
    const bars = [...chart.querySelectorAll('[data-bar]')];
    expect(bars.map((bar) => bar.getAttribute('d') !== '')).toEqual([true, false]);
    fireEvent.keyDown(chart, { key: 'Home' });
    expect(chart.getAttribute('aria-valuetext')).toBe('Wed 18 Nov: $14.66');
    expect(bars[0]?.hasAttribute('data-active')).toBe(true);
    fireEvent.keyDown(chart, { key: 'ArrowRight' });
    expect(chart.getAttribute('aria-valuetext')).toBe('Thu 19 Nov: $0.00');
  });

  it('keeps the days of the server wherever the visitor is', () => {
    expect(chartOfDays(POINTS, 'downloads').chart.bars[0]).toMatchObject({
      label: 'Wed 18',
      when: 'Wed 18 Nov',
      amount: '134 downloads',
    });
  });
});

describe('an exact amount', () => {
  it.each([
    [96_000, '$0.096'],
    [100_000, '$0.10'],
    [1_234_567_890, '$1,234.56789'],
    [-95_994, '\u2212$0.095994'],
  ])('of %d micro-dollars reads %s', (microUsd, text) => {
    const { container } = render(<ExactMoney microUsd={microUsd} />);
    expect(container.textContent).toBe(text);
  });
});
