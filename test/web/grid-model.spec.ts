import { describe, expect, it } from '@jest/globals';
import {
  arranged,
  arrangementOf,
  EVERYTHING,
  type Wanted,
} from '../../web/src/screens/pack-editor/grid/arrange.js';
import { type Bulk, planned } from '../../web/src/screens/pack-editor/grid/bulk.js';
import { COLUMNS, type ColumnId } from '../../web/src/screens/pack-editor/grid/columns.js';
import {
  changesOf,
  conflictAt,
  fillDown,
  fillTo,
  paste,
  pruned,
  setTexts,
  tallyOf,
  textsOf,
  withTheirs,
  type Drafts,
} from '../../web/src/screens/pack-editor/grid/drafts.js';
import {
  at,
  cellsOf,
  columnsIn,
  extendTo,
  only,
  toggle,
  wholeColumn,
} from '../../web/src/screens/pack-editor/grid/selection.js';
import { suggestionsIn } from '../../web/src/screens/pack-editor/grid/suggested.js';
import { parseTsv, toTsv } from '../../web/src/screens/pack-editor/grid/tsv.js';
import { ownSample } from './support/packs.js';

const column = (id: ColumnId) => {
  const found = COLUMNS.find((each) => each.id === id);
  if (!found) throw new Error(id);
  return found;
};
const samples = ['a', 'b', 'c', 'd'].map((id) => ownSample(id));
const view = { samples, columns: COLUMNS };
const TITLE = 0;
const TEMPO = 1;
const write = (drafts: Drafts, row: number, place: number, text: string) =>
  setTexts(drafts, view, [{ cell: at(row, place), text }]);

describe('what a cell takes', () => {
  it.each([
    ['name', '  Felt keys ', 'Felt keys'],
    ['bpm', '91.6 BPM', 92],
    ['bpm', '', 0],
    ['key', 'c#m', 'C# Minor'],
    ['key', 'Eb maj', 'Eb Major'],
    ['key', 'none', null],
    ['instruments', 'bass; DRUMS, bass,', ['Bass', 'Drums']],
    ['creditCost', '3 credits', 3],
    ['isRoyaltyFree', 'y', true],
    ['origin', 'ai-assisted', 'ai-assisted'],
    ['origin', 'Made from licensed samples', 'licensed'],
    ['origin', '', null],
    ['kind', 'one shot', 'one-shot'],
    ['kind', 'Long take', 'take'],
    ['kind', 'LOOP', 'loop'],
    ['kind', '', null],
    ['isRoyaltyFree', '', false],
  ] as const)('%s: “%s”', (id, typed, value) => {
    expect(column(id).parse(typed)).toMatchObject({ ok: true, value });
  });

  it.each([
    ['name', ' ', 'Enter a name'],
    ['name', 'x'.repeat(121), 'At most 120 characters'],
    ['bpm', '401', 'A number up to 400, or nothing'],
    ['bpm', 'fast', 'A number up to 400, or nothing'],
    ['key', 'H Minor', 'A key such as F# Minor, or nothing'],
    ['instruments', 'Bass, Kazoo', 'No such instrument: Kazoo'],
    ['creditCost', '6', '1 to 5 credits'],
    ['creditCost', '', '1 to 5 credits'],
    ['isRoyaltyFree', 'maybe', 'Yes or No'],
    ['origin', 'grown', 'An origin such as Recorded, or nothing'],
    ['kind', 'stab', 'Loop, One-shot or Take, or nothing'],
  ] as const)('%s refuses “%s”', (id, typed, error) => {
    expect(column(id).parse(typed)).toEqual({ ok: false, error });
  });

  it('reads back what it shows', () => {
    const sample = ownSample('a', { instruments: ['Bass', 'Drums'], key: null, bpm: 0 });
    for (const each of COLUMNS) expect(each.parse(each.textOf(sample))).toMatchObject({ ok: true });
  });
});

describe('changes not saved yet', () => {
  it('are none where the server has the same, however it was typed', () => {
    const drafts = write({}, 0, TEMPO, '120');
    expect(drafts).toEqual({ a: { bpm: { text: '120', base: '88' } } });
    expect(write(drafts, 0, TEMPO, '88 bpm')).toEqual({});
    expect(write({}, 0, 2, 'fm')).toEqual({});
  });

  it('fill down from the first row of each rectangle, and a single row from the one above', () => {
    let drafts = write(write({}, 0, TITLE, 'One'), 0, TEMPO, '101');
    drafts = fillDown(drafts, view, [{ anchor: at(0, TITLE), head: at(2, TEMPO) }]);
    expect(textsOf(drafts, view, { anchor: at(0, 0), head: at(3, 1) })).toEqual([
      ['One', '101'],
      ['One', '101'],
      ['One', '101'],
      ['Sound d', '88'],
    ]);
    expect(
      textsOf(fillDown(drafts, view, only(at(3, 1))), view, { anchor: at(3, 1), head: at(3, 1) }),
    ).toEqual([['101']]);
    expect(fillDown({}, view, only(at(0, 0)))).toEqual({});
  });

  it('carry a pattern on when the handle is drawn', () => {
    let drafts = write(write({}, 0, TEMPO, '100'), 1, TEMPO, '200');
    drafts = fillTo(drafts, view, { anchor: at(0, TEMPO), head: at(1, TEMPO) }, 3);
    expect(textsOf(drafts, view, { anchor: at(0, TEMPO), head: at(3, TEMPO) }).flat()).toEqual([
      '100',
      '200',
      '100',
      '200',
    ]);
  });

  it('take a table from a spreadsheet, tell what did not fit, and put one cell everywhere', () => {
    const table = parseTsv('Kick\t120\r\n"Say ""hi""\tthere"\t90\r\n');
    const target = { cells: [at(3, 0)], corner: at(3, 0) };
    const pasted = paste({}, view, table, target);
    expect(pasted.left).toBe(1);
    expect(changesOf(pasted.drafts, samples)).toEqual([{ sampleId: 'd', name: 'Kick', bpm: 120 }]);
    const cells = cellsOf([{ anchor: at(0, TEMPO), head: at(1, TEMPO) }]);
    const single = paste({}, view, [['77']], { cells, corner: at(0, TEMPO) });
    expect(changesOf(single.drafts, samples)).toEqual([
      { sampleId: 'a', bpm: 77 },
      { sampleId: 'b', bpm: 77 },
    ]);
    expect(single.left).toBe(0);
  });

  it('leave a row out as a whole while one of its cells means nothing', () => {
    const drafts = write(write(write({}, 0, TITLE, 'Fine'), 0, TEMPO, 'fast'), 1, TITLE, 'Sent');
    expect(changesOf(drafts, samples)).toEqual([{ sampleId: 'b', name: 'Sent' }]);
    expect(tallyOf(drafts, samples)).toEqual({ cells: 3, rows: 2, invalid: [at(0, TEMPO)], conflicts: [] });
  });

  it('know what changed elsewhere, and can take it', () => {
    const drafts = write({}, 0, TITLE, 'Mine');
    const now = [ownSample('a', { name: 'Theirs' }), ...samples.slice(1)];
    expect(conflictAt(now[0] as never, drafts.a, column('name'))).toBe('Theirs');
    expect(tallyOf(drafts, now).conflicts).toEqual([at(0, TITLE)]);
    expect(withTheirs(drafts, now)).toEqual({});
    expect(tallyOf(drafts, samples).conflicts).toEqual([]);
  });

  it('end where the server has them, and with their sample', () => {
    const drafts = write(write({}, 0, TITLE, 'Mine'), 1, TITLE, 'Gone');
    const saved = [ownSample('a', { name: 'Mine' })];
    expect(pruned(drafts, saved)).toEqual({});
    expect(pruned(drafts, samples)).toBe(drafts);
  });
});

describe('selecting', () => {
  it('draws, adds and takes away', () => {
    const drawn = extendTo(only(at(2, 1)), at(1, 0));
    expect(cellsOf(drawn)).toEqual([at(1, 0), at(1, 1), at(2, 0), at(2, 1)]);
    const more = toggle(drawn, at(3, 5));
    expect(columnsIn(more, 3)).toBe(1 << 5);
    expect(toggle(more, at(3, 5))).toEqual(drawn);
    expect(toggle(only(at(3, 5)), at(3, 5))).toEqual(only(at(3, 5)));
    expect(cellsOf([wholeColumn(2, { rows: 4, columns: 6 })])).toHaveLength(4);
  });

  it('copies what it would paste', () => {
    const table = [
      ['plain', 'with\ttab'],
      ['two\nlines', 'a "quote"'],
    ];
    expect(parseTsv(toTsv(table))).toEqual(table);
  });
});

describe('rows on screen', () => {
  const rows = [
    ownSample('a', { name: 'Kick 10', bpm: 0, durationMs: 9_000, filename: 'z.wav' }),
    ownSample('b', { name: 'Kick 2', bpm: 120, key: null, durationMs: 10_000 }),
    ownSample('c', { name: 'Bass', bpm: 90, instruments: [] }),
  ];
  const shown = (wanted: Partial<Wanted>, drafts: Drafts = {}) =>
    arranged(rows, arrangementOf(rows, drafts, { ...EVERYTHING, ...wanted }))
      .map(({ id }) => id)
      .join('');

  it.each([
    ['name', false, 'cba'],
    ['name', true, 'abc'],
    ['bpm', false, 'cba'],
    ['bpm', true, 'bca'],
    ['durationMs', false, 'abc'],
    ['filename', false, 'bca'],
  ] as const)('[EDIT-750] sorts by %s, downwards: %s', (by, descending, order) => {
    expect(shown({ sort: { by, descending } })).toBe(order);
  });

  it.each([
    ['any', 'kick', 'ab'],
    ['any', '', 'abc'],
    ['in bpm', '90', 'c'],
    ['in file', 'Z.WAV', 'a'],
    ['no bpm', '', 'a'],
    ['no key', '', 'b'],
    ['no instruments', '', 'c'],
    ['no origin', '', ''],
    ['no kind', '', 'abc'],
    ['unsaved', '', ''],
  ])('[EDIT-750] filters by %s “%s”', (filter, text, ids) => {
    expect(shown({ filter, text })).toBe(ids);
  });

  it('[EDIT-750] sorts and filters by what is typed, and keeps new samples at the end', () => {
    const drafts: Drafts = {
      a: { bpm: { text: '70', base: '' } },
      c: { bpm: { text: 'fast', base: '90' } },
    };
    expect(shown({ sort: { by: 'bpm', descending: false } }, { a: drafts.a ?? {} })).toBe('acb');
    expect([shown({ filter: 'unsaved' }, drafts), shown({ filter: 'wrong' }, drafts)]).toEqual(['ac', 'c']);
    const arrangement = arrangementOf(rows, {}, { ...EVERYTHING, sort: { by: 'name', descending: false } });
    const more = [ownSample('new', { name: 'A' }), ...rows];
    expect(arranged(more, arrangement).map(({ id }) => id)).toEqual(['c', 'b', 'a', 'new']);
  });

  const context = { drafts: {}, pack: { title: 'Kitchen' }, folderOf: () => 'Drums' };
  const after = (bulk: Bulk) => planned(bulk, rows, context).map((each) => `${each.sample.id}:${each.after}`);

  it.each([
    [
      { kind: 'replace', columnId: 'name', find: 'kick ', replacement: 'K$&', matchCase: false },
      ['a:K$&10', 'b:K$&2'],
    ],
    [{ kind: 'replace', columnId: 'name', find: 'kick', replacement: 'K', matchCase: true }, []],
    [{ kind: 'replace', columnId: 'name', find: '', replacement: 'K', matchCase: false }, []],
    [
      { kind: 'pattern', columnId: 'name', pattern: '{folder} {nn} {bpm} {what} {pack}', from: 9 },
      ['a:Drums 09 {what} Kitchen', 'b:Drums 10 120 {what} Kitchen', 'c:Drums 11 90 {what} Kitchen'],
    ],
    [{ kind: 'set', columnId: 'creditCost', text: '2' }, ['a:2', 'b:2', 'c:2']],
    [
      { kind: 'add', columnId: 'instruments', names: 'bass, drums' },
      ['a:Bass, Drums', 'b:Bass, Drums', 'c:Bass, Drums'],
    ],
    [{ kind: 'remove', columnId: 'instruments', names: 'bass' }, ['a:', 'b:']],
  ] as const)('[EDIT-751] plans %j', (bulk, changes) => {
    expect(after(bulk)).toEqual(changes);
  });

  it('[EDIT-751] says why a new value could not be saved', () => {
    expect(planned({ kind: 'set', columnId: 'creditCost', text: '9' }, rows, context)[0]).toMatchObject({
      after: '9',
      error: '1 to 5 credits',
    });
  });

  it('[EDIT-752] suggests for empty cells only, and only what is sure enough', () => {
    const grid = { samples: rows, columns: COLUMNS };
    const found = (atLeast: number, drafts: Drafts = {}) => suggestionsIn(grid, drafts, atLeast);
    expect(found(0)).toEqual([
      { cell: at(0, TEMPO), text: '92' },
      { cell: at(1, 2), text: 'Ab Major' },
    ]);
    expect(found(0.8)).toEqual([{ cell: at(0, TEMPO), text: '92' }]);
    expect(found(0.8, { a: { bpm: { text: '70', base: '' } } })).toEqual([]);
  });
});
