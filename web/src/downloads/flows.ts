import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { ARCHIVE_LIMIT } from '../../../application/purchases/values.js';
import type { PackDownloadAnswer, DownloadAnswer } from '../../../application/purchases/contract.js';
import { api, apiOnce } from '../api/api.js';
import { apiAddress } from '../api/transport/backend.js';
import { ApiProblem } from '../api/transport/http.js';
import { type Picked, pick } from '../picks/picks.js';
import { currentSession, isSignedIn } from '../session/session.js';
import { countOf, listed } from '../ui/format.js';
import { coverOf } from '../ui/sound/cover.js';
import { signInToDownload, notifyMissing, notifyUnavailable } from './download-alerts.js';
import { leftOutSentence, watchArchive } from './archive.js';
import { deliverInTray, press } from './deliver.js';
import { chosenProject, packCost, type ProjectOrder } from './download-format.js';
import { isOwned, isOwnershipKnown, markOwned } from './owned.js';
import type { DownloadPlace, Intent, WorkbenchExport } from '../session/after-sign-in.js';
import { type Ways, purchase } from './purchase.js';
import { track } from './tray.js';

const isOwn = (sample: Sample) => sample.creator.id === currentSession().user?.id;
const isFree = (sample: Sample) => isOwned(sample) || isOwn(sample);

/** Returns the price of samples that together cost `credits`, or null if it is unknown what the visitor owns. */
const priceOf = (samples: readonly Sample[], credits: number): number | null =>
  samples.every((sample) => isOwn(sample) || isOwnershipKnown(sample)) ? credits : null;

const spentText = (charged: number, balance: number) =>
  charged > 0
    ? `${countOf(charged, 'credit')} spent, ${balance.toLocaleString('en')} left.`
    : 'You already owned it.';

interface Parcel {
  what: string;
  ending: string;
  sampleIds: string[];
  /** The name of an archive. */
  name?: string;
  project?: ProjectOrder | undefined;
  again: () => void;
}

type DeliveredItem = Pick<DownloadAnswer, 'download' | 'attached' | 'leftOut'>;

/** Delivers one sample: its file, or an archive if MIDI or stems come with it, or if a DAW project is wanted. */
async function takeItem({ download, attached = [], leftOut = [] }: DeliveredItem, parcel: Parcel) {
  if (attached.length > 0 || parcel.project) {
    markOwned(parcel.sampleIds);
    return takeArchive(parcel);
  }
  const note = `${parcel.ending}${leftOutSentence(leftOut)}`;
  const isDelivered = await deliverInTray(download, { title: parcel.what, note, again: parcel.again });
  // Marks the sample as owned even if its file did not arrive, because it is paid.
  markOwned(parcel.sampleIds);
  return isDelivered;
}

/** The state of an archive in the tray, by its status on the server. */
const SHOWN = { waiting: 'ready', sending: 'downloading', sent: 'saved', broken: 'failed' } as const;

async function takeArchive({ what, ending, sampleIds, name, project, again }: Parcel): Promise<boolean> {
  const change = track({ title: what, state: 'preparing', note: ending, again });
  try {
    const answer = await api('POST /api/library/archives', { body: { sampleIds, name, project } });
    const save = () => press(answer.url, answer.filename);
    change({ state: 'ready', note: `${ending}${leftOutSentence(answer.leftOut)}`, save });
    save();
    // The flow does not wait for the file, because on a slow connection it would block the next download for long.
    void watchArchive(answer, (seen) =>
      change(seen === 'unanswered' ? { isUnsure: true } : { isUnsure: false, state: SHOWN[seen] }),
    ).then((end) => end ?? change({ isUnsure: false, state: 'handed' }));
    return true;
  } catch (error) {
    change({ state: 'failed' });
    if (error instanceof ApiProblem && error.status === 401) signInToDownload('library');
    else if (error instanceof ApiProblem && ['DownloadUnavailable', 'Gone'].includes(error.code))
      notifyUnavailable('library');
    return false;
  }
}

const buySample = (sampleId: string) => ({
  id: sampleId,
  buy: (expectedCredits: number) => apiOnce('POST /api/downloads', { body: { sampleId, expectedCredits } }),
});

/** Whether a purchase can begin. Shows an alert if there is no file to buy, and asks guests to sign in. */
async function mayBuy(isAvailable: boolean, place: DownloadPlace, intent: Intent): Promise<boolean> {
  if (!isAvailable) notifyUnavailable(place);
  else if (await isSignedIn()) return true;
  else signInToDownload(place, intent);
  return false;
}

export async function downloadSample(
  sample: Sample,
  place: DownloadPlace,
  ways: Ways,
  project?: ProjectOrder,
): Promise<boolean> {
  if (!(await mayBuy(Boolean(sample.previewUrl), place, { kind: 'download', sample, place }))) return false;
  const answer = await purchase({
    ...buySample(sample.id),
    costCredits: priceOf([sample], isFree(sample) ? 0 : sample.creditCost),
    present: {
      title: sample.title,
      by: sample.creator.displayName,
      cover: coverOf(sample),
      samples: [sample],
    },
    place,
    ...ways,
  });
  if (!answer) return false;
  return takeItem(answer, {
    what: sample.title,
    ending: spentText(answer.charged, answer.balance),
    sampleIds: [sample.id],
    name: `${sample.creator.displayName} - ${sample.title}`,
    project,
    again: ways.again,
  });
}

type Bundle = Omit<Parameters<typeof purchase<PackDownloadAnswer>>[0], 'costCredits' | keyof Ways> & {
  samples: readonly Sample[];
  /** By default, the sum of the prices of the samples. */
  costCredits?: number | null;
  /** The name of the archive. */
  name?: string;
  /** Delivers the samples in another form than an archive. @param ending the sentence about the spent credits */
  deliver?: Deliver;
};
type Deliver = (ending: string) => Promise<boolean>;

/**
 * Buys those of several samples that the visitor does not own. Delivers all of them as one archive, or by `deliver`. If
 * there is only one sample, `takeItem` delivers it.
 */
async function downloadBundle({ samples, name, deliver, ...offer }: Bundle, ways: Ways): Promise<boolean> {
  const sumCredits = samples.reduce((sum, sample) => sum + (isFree(sample) ? 0 : sample.creditCost), 0);
  const { costCredits = priceOf(samples, sumCredits) } = offer;
  const answer = await purchase({ ...offer, costCredits, ...ways });
  if (!answer) return false;
  const sampleIds = answer.items.map(({ sampleId }) => sampleId);
  const ending = spentText(answer.charged, answer.balance);
  if (deliver) {
    markOwned(sampleIds);
    return deliver(ending);
  }
  const parcel: Parcel = {
    what: offer.present.title,
    ending,
    sampleIds,
    project: chosenProject(),
    again: ways.again,
  };
  if (name !== undefined) parcel.name = name;
  const [only] = answer.items;
  if (only && sampleIds.length === 1) return takeItem(only, parcel);
  markOwned(sampleIds);
  return takeArchive(parcel);
}

export async function downloadWholePack(pack: PackDetail, ways: Ways): Promise<boolean> {
  const samples = pack.samples.filter((sample) => sample.previewUrl);
  const intent = { kind: 'download-pack', creator: pack.creator.handle, slug: pack.slug } as const;
  if (!(await mayBuy(samples.length > 0, 'pack', intent))) return false;
  const { id, title, creator } = pack;
  const priced = samples.filter((sample) => !isFree(sample));
  const alone = priced.reduce((sum, { creditCost }) => sum + creditCost, 0);
  const costCredits = priceOf(samples, packCost(pack, alone));
  const bundle: Bundle = {
    id,
    buy: (expectedCredits) =>
      apiOnce('POST /api/packs/:id/downloads', { params: { id }, body: { expectedCredits } }),
    samples,
    present: {
      title,
      by: `${countOf(priced.length, 'sample')} by ${creator.displayName}`,
      cover: coverOf(pack),
      samples,
      ...(costCredits !== null &&
        costCredits < alone && {
          saving: `Together they cost ${costCredits} instead of ${alone} credits.`,
        }),
    },
    costCredits,
    name: title,
    place: 'pack',
  };
  return downloadBundle(bundle, ways);
}

/** @param continueWith downloads the other picks if some are no longer on sale */
export async function downloadPicked(
  picked: readonly Picked[],
  ways: Ways,
  continueWith: (rest: readonly Picked[]) => void,
): Promise<boolean> {
  if (!(await mayBuy(picked.length > 0, 'list', { kind: 'download-picked', picked }))) return false;
  const isDone = await downloadPicks(picked, ways, continueWith);
  if (isDone) pick(picked, false);
  return isDone;
}

/** Buys the samples of a workbench that the visitor does not own, and delivers the workbench in a format. */
export async function exportWorkbench(asked: WorkbenchExport, ways: Ways): Promise<boolean> {
  const { id, picked, title, format, tagged } = asked;
  if (!(await mayBuy(picked.length > 0, 'list', { kind: 'export-workbench', asked }))) return false;
  const url = apiAddress(`/api/workbenches/${id}/export?format=${format}&tagged=${tagged}`);
  const filename = `${title}.${format === 'dawproject' ? 'dawproject' : 'zip'}`;
  return downloadPicks(picked, ways, (rest) => void exportWorkbench({ ...asked, picked: rest }, ways), {
    title,
    format,
    deliver: (note) => deliverInTray({ url, filename }, { title, note, again: ways.again }),
  });
}

/** The text in the price dialog about the form of the delivery, by format. */
const DELIVERED = {
  dawproject: 'one .dawproject file',
  rpp: 'one ZIP with a REAPER project',
  zip: 'one ZIP',
};

function downloadPicks(
  picked: readonly Picked[],
  ways: Ways,
  continueWith: (rest: readonly Picked[]) => void,
  exported?: { title: string; format: WorkbenchExport['format']; deliver: Deliver },
): Promise<boolean> {
  const samples = picked.flatMap(({ sample }) => sample ?? []);
  const free = picked.filter(({ sample }) => !sample || isFree(sample));
  const [only] = picked;
  if (only?.sample && picked.length === 1 && !exported)
    return downloadSample(only.sample, 'list', ways, chosenProject());
  if (free.length === picked.length && exported) return exported.deliver('You already owned it.');
  if (free.length === picked.length)
    return downloadAgain(
      picked.map(({ id, title }) => ({ sampleId: id, title })),
      ways,
      chosenProject(),
    );
  const sampleIds = picked.map(({ id }) => id);
  const [first] = samples;
  const bundle: Bundle = {
    id: 'picked',
    buy: (expectedCredits) =>
      apiOnce('POST /api/samples/downloads', { body: { sampleIds, expectedCredits } }),
    samples,
    present: {
      title: exported?.title ?? countOf(picked.length, 'sample'),
      by: `${exported ? `${countOf(picked.length, 'sample')} ` : ''}by ${listed([...new Set(samples.map(({ creator }) => creator.displayName))])}`,
      cover: first ? coverOf(first) : { title: '', genre: '', artworkUrl: null },
      samples,
      freeTitles: free.map(({ title }) => title),
      delivered: DELIVERED[exported?.format ?? chosenProject()?.format ?? 'zip'],
    },
    place: 'list',
    notifyMissing: (ids) => {
      const missing = picked.filter(({ id }) => ids.includes(id));
      const rest = picked.filter(({ id }) => !ids.includes(id));
      pick(missing, false);
      notifyMissing(
        missing.map(({ title }) => title),
        rest.length > 0 ? () => continueWith(rest) : undefined,
      );
    },
    ...(exported && { deliver: exported.deliver }),
  };
  return downloadBundle(bundle, ways);
}

export async function downloadAgain(
  items: readonly { sampleId: string; title: string }[],
  ways: Ways,
  project?: ProjectOrder,
) {
  const sampleIds = items.map(({ sampleId }) => sampleId);
  const ending = 'You already owned it.';
  const { again } = ways;
  const [only] = items;
  if (!only || items.length > 1) {
    for (let from = 0; from < sampleIds.length; from += ARCHIVE_LIMIT) {
      const part = sampleIds.slice(from, from + ARCHIVE_LIMIT);
      const what = countOf(part.length, 'sample');
      if (!(await takeArchive({ what, ending, sampleIds: part, project, again }))) return false;
    }
    markOwned(sampleIds);
    return true;
  }
  const { sampleId, title } = only;
  const answer = await purchase({
    ...buySample(sampleId),
    // The visitor owns the sample, so it is free. If the server names a price anyway, a dialog asks before the payment.
    costCredits: 0,
    present: { title, by: '', cover: { title, genre: '', artworkUrl: null }, samples: [] },
    place: 'library',
    ...ways,
  });
  if (!answer) return false;
  return takeItem(answer, { what: title, ending, sampleIds, name: title, project, again });
}
