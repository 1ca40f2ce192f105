import { type PlannedPack, samplesOf } from '../../../../application/publishing/folder/plan.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import { ownPackQuery, putOwnPack } from '../../api/creator.js';
import type { Input } from '../../api/endpoints.js';
import { queryClient } from '../../api/query-client.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { addSounds } from '../../screens/pack-editor/upload/uploads.js';
import {
  allOwnPacks,
  type ChosenFolder,
  type Choice,
  ownPackFor,
  remember,
  rememberedOf,
} from './chosen-folder.js';

const TURN_MS = 10_000;
const TURNS = 12;

/**
 * Repeats a request after a pause while the rate limit refuses it. The server accepts sixty packs and thirty covers a
 * minute.
 */
async function inTurn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || turn === TURNS) throw error;
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
  }
}

interface Wanted {
  pack: PlannedPack;
  choice: Choice;
}

/**
 * Makes drafts of the wanted packs, and queues their sounds for upload. A pack that exists already is used instead of
 * a new draft.
 * @param onPack called before each pack
 * @returns a text for each refused cover, with the reason
 * @throws ApiProblem if a pack cannot be made; the packs before it exist
 */
export async function makePacks(
  folder: ChosenFolder,
  wanted: readonly Wanted[],
  { userId, onPack }: { userId: string; onPack: (place: number) => void },
): Promise<string[]> {
  // Loads the creator's packs again, because an earlier request whose answer was lost may have made a pack.
  const own = await allOwnPacks();
  const refusals: string[] = [];
  for (const [place, { pack, choice }] of wanted.entries()) {
    onPack(place);
    const { title, genre, mood } = choice;
    const before = rememberedOf(userId, folder.name)[pack.key];
    const found = ownPackFor(own, title, before);
    const note = { title, genre, mood };
    if (before?.packId === undefined || before.packId !== found?.id)
      remember(userId, folder.name, pack.key, note);
    const target = found
      ? await queryClient.fetchQuery({ ...ownPackQuery(found.slug), staleTime: 0 })
      : await inTurn(() => draft(pack, choice));
    const isOurs = !found || before?.packId === found.id;
    const hasCover = !isOurs || before?.hasCover === true;
    const cover = hasCover ? undefined : folder.files.get(pack.cover ?? '');
    remember(userId, folder.name, pack.key, { ...note, packId: target.id, hasCover });
    if (cover) refusals.push(...(await sendCover(target, cover)));
    remember(userId, folder.name, pack.key, { ...note, packId: target.id, hasCover: true });
    await queueSounds(folder, pack, target);
  }
  return refusals;
}

async function draft(pack: PlannedPack, { title: name, genre, mood }: Choice): Promise<OwnPack> {
  const body = {
    name,
    genre,
    mood,
    description: pack.description,
  } as Input<'POST /api/creator/packs'>['body'];
  const made = await api('POST /api/creator/packs', { body });
  putOwnPack(made);
  return made;
}

/** Sends the cover. A refused cover does not stop the pack. */
async function sendCover({ id }: OwnPack, file: File): Promise<string[]> {
  const body = new FormData();
  body.append('image', file, file.name);
  try {
    putOwnPack(await inTurn(() => api('PUT /api/creator/packs/:id/cover', { params: { id }, body })));
    return [];
  } catch (error) {
    if (error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429)
      return [`${file.name}: ${messageOf(error)}`];
    throw error;
  }
}

function queueSounds({ name, files }: ChosenFolder, { sounds }: PlannedPack, target: OwnPack): Promise<void> {
  const there = samplesOf(sounds, target.samples);
  const queued = sounds.flatMap(({ path, midi, stems, meta }) => {
    const file = files.get(path);
    const sample = there.get(path);
    const attachments = { midi: files.get(midi ?? ''), stems: files.get(stems ?? '') };
    return file ? [{ file, meta, attachments, sample }] : [];
  });
  return addSounds(target, queued, name);
}
