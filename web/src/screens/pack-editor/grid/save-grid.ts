import type * as z from 'zod';
import type { OwnPack, SampleChangesAnswer } from '../../../../../application/publishing/contract.js';
import { api } from '../../../api/api.js';
import { putOwnPack } from '../../../api/creator.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { countOf } from '../../../ui/format.js';
import { changeInHand, replacedIn, write } from '../write-pack.js';
import { COLUMNS } from './columns.js';
import { type Drafts, changesOf, pruned, tallyOf } from './drafts.js';
import { keepDrafts, readDrafts } from './kept-drafts.js';
import type { Grid } from './use-grid.js';

type Refused = z.infer<typeof SampleChangesAnswer>['refused'];

function reasonOf({ code, errors }: Refused[number]): string {
  if (code === 'NotFound') return 'The sample is not in the pack any more';
  const [first] = errors;
  const label = COLUMNS.find(({ id }) => first?.path.startsWith(id))?.label;
  return first ? `${label ?? first.path}: ${first.message}` : 'The row was not accepted';
}

/**
 * Saves all valid rows in one request. Asks first if that replaces values that changed elsewhere.
 * @returns why some rows were not saved; undefined if all were
 */
async function saveDrafts(
  pack: OwnPack,
  drafts: Drafts,
  setRefused: (reasons: Record<string, string>) => void,
): Promise<string | undefined> {
  const { conflicts } = tallyOf(drafts, pack.samples);
  if (conflicts.length > 0) {
    const sure = await askConfirm({
      title: 'Replace what changed elsewhere?',
      message: `${countOf(conflicts.length, 'cell')} changed elsewhere after you edited. Saving replaces those changes with yours.`,
      confirmLabel: 'Save mine',
      destructive: true,
    });
    if (!sure) return `${countOf(conflicts.length, 'cell')} changed elsewhere.`;
  }
  const changes = changesOf(drafts, pack.samples);
  let kept = Object.keys(drafts).length - changes.length;
  if (changes.length > 0) {
    const params = { id: pack.id };
    const answer = await write(
      pack.slug,
      (ifMatch) => api('PATCH /api/creator/packs/:id/samples', { params, body: { changes }, ifMatch }),
      {
        replaces: (now) => changes.map(({ sampleId, ...change }) => replacedIn(sampleId, change)(now)),
        outcome:
          'Nothing was saved yet. Your changes are kept here. Cells that changed elsewhere are marked.',
      },
    );
    if (!answer) return 'changed elsewhere.';
    changeInHand(pack.slug, () => answer.pack);
    putOwnPack(answer.pack);
    keepDrafts(pack.id, pruned(drafts, answer.pack.samples));
    setRefused(Object.fromEntries(answer.refused.map((row) => [row.sampleId, reasonOf(row)])));
    kept += answer.refused.length;
  }
  return kept === 0
    ? undefined
    : `${countOf(kept, 'row')} still ${kept === 1 ? 'needs' : 'need'} correcting.`;
}

/** Saves the changed cells of an open grid. Rows with an invalid cell stay unsaved and marked. */
export const saveGrid = (pack: OwnPack, { drafts, setRefused }: Grid): Promise<string | undefined> =>
  saveDrafts(pack, drafts, setRefused);

/** Saves the cells that were unsaved when the grid was closed. */
export const saveKeptDrafts = (pack: OwnPack): Promise<string | undefined> =>
  saveDrafts(pack, pruned(readDrafts(pack.id), pack.samples), () => undefined);
