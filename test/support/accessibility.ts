import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Resolves when no animation or transition runs any more. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // `getAnimations` applies pending styles, so its result includes the animations that they start.
    // Inherited colours change one element after the other, so the loop repeats until none is left.
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

/**
 * Returns the violations that axe finds, once all animations have ended. Colours halfway between two themes
 * would be false findings.
 */
export async function violationsOf(page: Page, rules: axe.RunOptions = {}): Promise<axe.Result[]> {
  await settled(page);
  // Evaluates the source, because the content policy would refuse a script element.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};undefined`);
  return page.evaluate(
    (rules) => (window as unknown as { axe: typeof axe }).axe.run(rules).then((result) => result.violations),
    rules,
  );
}

/** Returns rule and first element of each violation. */
export const violationNames = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
