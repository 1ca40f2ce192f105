import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

const sourceOf = new Map(
  globSync('{application,adapters,bootstrap,cli,demo}/**/*.ts').map((file) => [
    file,
    readFileSync(file, 'utf8'),
  ]),
);
const filesWith = (pattern: RegExp): string[] =>
  [...sourceOf].filter(([, source]) => pattern.test(source)).map(([file]) => file);

/** Writes to a stream, or moves credits. */
const WRITES =
  /\b(streams\.(execute|transact)|executor\.(buy|adjust|grant\w+|returnPurchase|correctInvoice))\(/i;

describe('[OPS-82] what is recorded', () => {
  it('is recorded by handlers of commands, and by what several of them share', () => {
    const writers = filesWith(WRITES);
    expect(writers.length).toBeGreaterThan(10);
    const others = writers.filter((file) => !sourceOf.get(file)?.includes('@CommandHandler('));
    expect(others.toSorted()).toEqual([
      'application/approvals/approvals.ts',
      'application/complaints/decided-complaints.ts',
      'application/credits/adjustments.ts',
      'application/publishing/creators/creators.ts',
      'application/publishing/packs.ts',
      'application/publishing/suspicions/decided-copies.ts',
    ]);
  });

  it('is asked of no such service from outside of application', () => {
    const deciding = /\b(packs|creators|adjustments|changes)\.(decide|settle|reserve|carryOut|finish)\(/;
    // The search engine has arrays of these names.
    const others = filesWith(deciding).filter(
      (file) => !/^(?:application|adapters\/platform\/search)\//.test(file),
    );
    expect(others).toEqual([]);
  });
});

it('[OPS-82] reads are declared once, in the queries of their context', () => {
  const files = globSync('application/*/queries.ts');
  expect(files.length).toBeGreaterThan(7);
  for (const file of files) {
    const declared = [...(sourceOf.get(file)?.matchAll(/abstract class (\w+)/g) ?? [])];
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter(([, name]) => !name?.endsWith('Queries'))).toEqual([]);
  }
});

it('addresses of screens are written once, in application/pages', () => {
  const address =
    /['"`](?:\$\{[^}]*\})?\/(?:finance|admin|dashboard|settings|library|earnings|auth|complaint|creator|search|collections?|mailing-list)(?:[/?][^'"`]*)?['"`]/;
  const found = filesWith(address).filter(
    (file) => !/^application\/(?:pages\/|[^/]+\/(?:[\w-]+\/)*(?:[\w-]+-)?endpoints)/.test(file),
  );
  // Patterns for crawlers, and an address that SQL composes.
  expect(found.filter((file) => !/site\.controller|complaint-parts/.test(file))).toEqual([]);
});
