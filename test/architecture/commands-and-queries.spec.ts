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
      'application/administration/approved-work.ts',
      'application/approvals/approvals.ts',
      'application/publishing/creators/creators.ts',
      'application/publishing/packs.ts',
      'application/publishing/suspicions/decided-copies.ts',
    ]);
  });

  it('is asked of no such service from outside of application', () => {
    const deciding = /\b(packs|creators|approvals|changes)\.(decide|settle|reserve|carryOut|finish)\(/;
    // The search engine has arrays of these names.
    const others = filesWith(deciding).filter(
      (file) => !/^(?:application|adapters\/platform\/search)\//.test(file),
    );
    expect(others).toEqual([]);
  });
});

/** Commands of one file: their names, and the results that they declare. */
const commandsIn = (source: string) =>
  [...source.matchAll(/class (\w+)\s+extends\s+Command<((?:[^{}]|\{[^{}]*\})*)>\s*\{/g)].map(
    ([, name = '', result = '']) => ({ name, result }),
  );

/** The alternatives of a type, without those inside of brackets. */
function alternatives(type: string): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of type) {
    if ('<{(['.includes(letter)) depth += 1;
    if ('>})]'.includes(letter)) depth -= 1;
    if (letter === '|' && depth === 0) found.push('');
    else found.push(`${found.pop()}${letter}`);
  }
  return found.map((each) => each.trim()).filter(Boolean);
}

const definitionOf = (name: string): string | undefined =>
  filesWith(new RegExp(`type ${name}\\b`))
    .map((file) => sourceOf.get(file) ?? '')
    .flatMap(
      (source) =>
        source.match(new RegExp(`type ${name}\\b(?:<[^=]*(?:= \\w+)?>)? = (?:[^;{]|\\{[^}]*\\})*;`)) ?? [],
    )
    .map((declared) => declared.replace(/^type \w+(?:<[^=]*(?:= \w+)?>)? =/, '').replace(/;$/, ''))[0];

/** Whether each alternative is `void`, an `Outcome`, data without a refusal, or a name for one of them. */
const isOutcome = (type: string): boolean =>
  alternatives(type).every((each) => {
    if (each === 'void' || /^(?:Outcome<|\{\s*accepted: true)/.test(each)) return true;
    const definition = /^\w+/.exec(each)?.[0];
    const named = definition && definitionOf(definition);
    return named !== undefined && named !== '' && isOutcome(named);
  });

describe('[OPS-610] a command', () => {
  const commands = [...sourceOf].flatMap(([file, source]) =>
    commandsIn(source).map((command) => ({ file, ...command })),
  );

  it('has its handler in the same file, or in a higher context', () => {
    expect(commands.length).toBeGreaterThan(60);
    const contextOf = (file: string) => file.split('/')[1];
    const apart = commands.filter(({ file, name }) =>
      filesWith(new RegExp(`@CommandHandler\\(${name}\\)`)).every(
        (other) => other !== file && contextOf(other) === contextOf(file),
      ),
    );
    expect(apart).toEqual([]);
  });

  it('answers nothing, or an outcome: accepted or a rejection', () => {
    expect(commands.filter(({ result }) => !isOutcome(result))).toEqual([]);
    expect(['boolean', 'string | void', '{ ok: true }', "'done'"].filter(isOutcome)).toEqual([]);
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
