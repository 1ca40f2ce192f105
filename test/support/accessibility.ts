import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Resolves once nothing slides, fades or changes colour any more: what still moves is not what people read. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // Asking for the animations applies pending styles, so those that these start are among the answers;
    // colours that are inherited change one after the other, hence again until there are none.
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        );
    for (let left = passing(); left.length > 0; left = passing())
      await Promise.all(left.map((one) => one.finished.catch(() => null)));
    await document.fonts.ready;
  });

/** What axe objects to, once nothing moves: half-way between two themes no colour is one that people read. */
export async function violationsOf(page: Page, rules: axe.RunOptions = {}): Promise<axe.Result[]> {
  await settled(page);
  // Not as a script of the page, which the content policy would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};undefined`);
  return page.evaluate(
    (rules) => (window as unknown as { axe: typeof axe }).axe.run(rules).then((result) => result.violations),
    rules,
  );
}

/** The same in short: rule and first element of each. */
export const violationNames = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
