import type * as z from 'zod';
import type { OwnPack, SampleChangesAnswer } from '../../../../../application/publishing/contract.js';
import { packsChanged } from '../../../api/changes.js';
import { api } from '../../../api/api.js';
import { messageOf } from '../../../api/transport/http.js';
import { putOwnPack } from '../../../api/creator.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { countOf } from '../../../ui/format.js';
import { toast } from '../../../ui/overlays/toast.js';
import { changeInHand, write } from '../write-pack.js';
import { COLUMNS } from './columns.js';
import { changesOf } from './drafts.js';
import type { Grid } from './use-grid.js';

type Refused = z.infer<typeof SampleChangesAnswer>['refused'];

function reasonOf({ code, errors }: Refused[number]): string {
  if (code === 'NotFound') return 'The sample is not in the pack any more';
  const [first] = errors;
  const label = COLUMNS.find(({ id }) => first?.path.startsWith(id))?.label;
  return first ? `${label ?? first.path}: ${first.message}` : 'The row was not accepted';
}

function notifySaved(saved: number, kept: number): void {
  if (kept === 0) toast({ title: 'Updated', description: `${countOf(saved, 'sample')} saved.` });
  else {
    toast({
      title: saved === 0 ? 'Nothing was saved' : `${countOf(saved, 'sample')} saved`,
      description: `${countOf(kept, 'row')} still ${kept === 1 ? 'needs' : 'need'} correcting.`,
      tone: 'danger',
    });
  }
}

/** Saves every row that can be saved, in one step. Rows that cannot stay as they are, marked. */
export async function saveGrid(pack: OwnPack, { drafts, samples, tally, setRefused }: Grid): Promise<void> {
  const { conflicts } = tally;
  if (conflicts.length > 0) {
    const sure = await askConfirm({
      title: 'Replace what changed elsewhere?',
      message: `${countOf(conflicts.length, 'cell')} changed elsewhere after you edited. Saving replaces those changes with yours.`,
      confirmLabel: 'Save mine',
      destructive: true,
    });
    if (!sure) return;
  }
  const changes = changesOf(drafts, samples);
  const unsent = Object.keys(drafts).length - changes.length;
  if (changes.length === 0) return notifySaved(0, unsent);
  try {
    const params = { id: pack.id };
    const answer = await write(
      pack.slug,
      (ifMatch) => api('PATCH /api/creator/packs/:id/samples', { params, body: { changes }, ifMatch }),
      'Nothing was saved yet. Your changes are kept here. Cells that changed elsewhere are marked.',
    );
    if (!answer) return;
    changeInHand(pack.slug, () => answer.pack);
    putOwnPack(answer.pack);
    setRefused(Object.fromEntries(answer.refused.map((row) => [row.sampleId, reasonOf(row)])));
    packsChanged();
    notifySaved(answer.savedIds.length, unsent + answer.refused.length);
  } catch (error) {
    toast({
      title: 'Error saving changes. Please try again.',
      description: messageOf(error),
      tone: 'danger',
    });
  }
}
