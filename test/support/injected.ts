import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DESKTOP } from './browser.js';
import { CANARY } from './hostile-texts.js';
import type { HttpClient } from './http-client.js';
import type { Visits } from './shop.js';
import { LIMIT_MS } from './until.js';

/** Tall enough to show all rows of a list. */
const TALL = { ...DESKTOP, viewport: { width: 1440, height: 3_000 } };

/**
 * Makes a page record the effects of injected texts:
 * - foreign elements and attributes, even if they existed only for a moment
 * - violations of the content policy
 * - scripts that ran, dialogs and requests to the canary
 * @returns the effects so far
 */
export async function watchInjected(page: Page): Promise<() => Promise<string[]>> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('request', (request) => {
    if (request.url().includes(`//${CANARY}`)) seen.push(`request: ${request.url()}`);
  });
  await page.exposeFunction('tellInjected', (what: string) => void seen.push(what));
  await page.addInitScript(inThePage, CANARY);
  return async () => {
    const found = await page.evaluate(() => {
      return [...('__xss' in window ? ['a script ran'] : []), ...sweepInjected()];
    });
    return [...seen, ...found];
  };
}

function inThePage(canary: string): void {
  const tell = (what: string) =>
    void (window as unknown as { tellInjected(it: string): void }).tellInjected(what);
  const FOREIGN =
    /^(xss|iframe|frame|frameset|object|embed|applet|base|portal|isindex|keygen|marquee|plaintext|xmp|math|m[inot]|mtext|mglyph|annotation-xml|animate|set|foreignobject|use|font|noscript|javascript:.*|details|video|source)$/i;
  const ADDRESSES = /^(href|src|action|formaction|data|poster|srcset|ping|xlink:href|code|background)$/i;
  const faultsOf = (element: Element): string[] => {
    const faults: string[] = [];
    const { localName } = element;
    if (FOREIGN.test(localName) || localName.includes('<')) faults.push(`<${localName}>`);
    if (/^(script|style|template)$/i.test(localName) && !element.hasAttribute('src')) {
      const isData = /json/.test(element.getAttribute('type') ?? '');
      if (!isData && /__xss|canary/.test(element.textContent))
        faults.push(`<${localName}> ${element.textContent}`);
    }
    for (const { name, value } of element.attributes) {
      if (/^(on|srcdoc|v-|ng-)|[<"'`=]|xss/i.test(name)) faults.push(`<${localName} ${name}>`);
      const program = value.replaceAll(/[\0-\x20]/g, '');
      if (ADDRESSES.test(name) && /^(javascript|vbscript|data:text|data:,)/i.test(program))
        faults.push(`<${localName} ${name}="${value}">`);
      if (ADDRESSES.test(name) && URL.parse(value, location.href)?.hostname === canary)
        faults.push(`<${localName} ${name}="${value}">`);
      if (name === 'http-equiv' && /refresh/i.test(value)) faults.push(`<${localName} refresh>`);
    }
    return faults;
  };
  const sweep = (from = document) => [...from.querySelectorAll('*')].flatMap(faultsOf);
  const missingNow = (texts: readonly string[], from = document) => {
    const walker = document.createTreeWalker(from.body, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && !/^(script|style)$/i.test(parentElement.localName)) said.push(textContent ?? '');
    }
    for (const field of from.querySelectorAll<HTMLInputElement>('input, textarea')) said.push(field.value);
    const all = said.join('');
    return texts.filter((text) => !all.includes(text));
  };
  Object.assign(window, { sweepInjected: sweep, missingNow });
  // Also records elements that hydration or a later render removes.
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'attributes' ? [target] : addedNodes)
        if (node instanceof Element)
          for (const element of [node, ...node.querySelectorAll('*')])
            for (const fault of faultsOf(element)) tell(`was there: ${fault}`);
  }).observe(document, { subtree: true, childList: true, attributes: true });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    tell(`policy: ${effectiveDirective} ${blockedURI} ${sample}`),
  );
}

/**
 * Returns the texts that a page does not show literally in its text or fields within a minute. Scripts and
 * styles do not count.
 */
export async function missingOn(page: Page, texts: readonly string[]): Promise<string[]> {
  const whole = page.waitForFunction((all) => missingNow(all).length === 0, texts, { timeout: LIMIT_MS });
  // After the timeout, the texts that are still missing are the result.
  await whole.catch(() => undefined);
  return page.evaluate((all) => missingNow(all), texts);
}

/**
 * Returns the effects of injected texts in the server-rendered page, before a script runs, and the texts that
 * it lacks.
 */
export const faultsOfDrawn = (page: Page, path: string, texts: readonly string[]): Promise<string[]> =>
  page.evaluate(
    async ([address, all]) => {
      const answer = await fetch(address, { headers: { accept: 'text/html' } });
      const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html');
      return [...sweepInjected(drawn), ...missingNow(all, drawn)];
    },
    [path, texts] as const,
  );

/**
 * Opens pages one after the other in one browser.
 * @returns the injected effects and missing texts of each page
 */
export async function openedBy(
  visits: Visits,
  who: HttpClient | undefined,
  pages: readonly (readonly [path: string, texts: readonly string[]])[],
  more: (page: Page) => Promise<void> = async () => {},
) {
  const page = await visits.open(who, TALL);
  const injected = await watchInjected(page);
  const found = [];
  for (const [path, expected] of pages) {
    const answered = await page.goto(path);
    expect(answered?.headers()['content-security-policy']).toContain(
      "script-src 'self' 'wasm-unsafe-eval';script-src-attr 'none'",
    );
    const missing = await missingOn(page, expected);
    found.push({ path, missing, injected: await injected() });
  }
  await more(page);
  expect(await injected()).toEqual([]);
  return found;
}

/** The expected result if no text had an effect. */
export const clean = (pages: readonly (readonly [string, readonly string[]])[]) =>
  pages.map(([path]) => ({ path, missing: [], injected: [] }));

/** Defined in the page. */
declare function missingNow(texts: readonly string[], from?: Document): string[];
declare function sweepInjected(from?: Document): string[];
