import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { ARCHIVE_LIMIT } from '../../../application/purchases/values.js';
import type { DownloadAnswer } from '../../../application/purchases/contract.js';
import { apiOnce } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';
import { currentSession, isSignedIn } from '../session/session.js';
import { countOf } from '../ui/format.js';
import { coverOf } from '../ui/sound/cover.js';
import { dismissToast, toast } from '../ui/overlays/toast.js';
import { askToSignIn, notifyDelivery, notifyUnavailable } from './download-alerts.js';
import { deliverArchive, leftOutSentence } from './archive.js';
import { deliver } from './deliver.js';
import { isOwned, markOwned } from './owned.js';
import type { DownloadPlace, Intent } from '../session/after-sign-in.js';
import { type Ways, purchase } from './purchase.js';

/** A toast announces a file that takes longer than this. */
const SLOW_MS = 1_500;

const isFree = (sample: Sample) => isOwned(sample) || sample.creator.id === currentSession().user?.id;

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
  again: () => void;
}

type DeliveredItem = Pick<DownloadAnswer, 'download' | 'attached' | 'leftOut'>;

/** Delivers one sample: its file, or an archive if more files belong to it. */
async function takeItem({ download, attached = [], leftOut = [] }: DeliveredItem, parcel: Parcel) {
  if (attached.length > 0) {
    markOwned(parcel.sampleIds);
    return takeArchive(parcel);
  }
  const slow = setTimeout(
    () => toast({ title: 'Downloading', description: `${parcel.what} is on its way.`, tone: 'info' }),
    SLOW_MS,
  );
  const outcome = await deliver(download);
  clearTimeout(slow);
  // A paid sample is owned, even if its file did not arrive.
  markOwned(parcel.sampleIds);
  const description = `${parcel.what}. ${parcel.ending}${leftOutSentence(leftOut)}`;
  return notifyDelivery(outcome, description, parcel.again);
}

async function takeArchive({ what, ending, sampleIds, name, again }: Parcel): Promise<boolean> {
  toast({ title: 'Preparing', description: `${what} will arrive as one ZIP.`, tone: 'info' });
  try {
    const taken = await deliverArchive(sampleIds, name);
    if (!taken) return notifyDelivery('failed', what, again);
    const { answer, underWay, arrived } = taken;
    if (underWay)
      toast({
        title: 'Downloading',
        description: `${answer.filename} is being downloaded to your disk.`,
        tone: 'info',
      });
    // The flow does not wait for the file: on a slow connection it takes long, and the page stays usable.
    void arrived.then((outcome) =>
      notifyDelivery(outcome, `${what}. ${ending}${leftOutSentence(answer.leftOut)}`, again),
    );
    return true;
  } catch (error) {
    dismissToast();
    if (error instanceof ApiProblem && error.status === 401) askToSignIn('library');
    else if (error instanceof ApiProblem && ['DownloadUnavailable', 'Gone'].includes(error.code))
      notifyUnavailable('library');
    else notifyDelivery('failed', what, again);
    return false;
  }
}

const buySample = (sampleId: string) => ({
  id: sampleId,
  buy: (expectedCredits: number) => apiOnce('POST /api/downloads', { body: { sampleId, expectedCredits } }),
});

/** Whether a purchase can begin. If there is no file or no user, shows why. */
async function mayBuy(isAvailable: boolean, place: DownloadPlace, intent: Intent): Promise<boolean> {
  if (!isAvailable) notifyUnavailable(place);
  else if (await isSignedIn()) return true;
  else askToSignIn(place, intent);
  return false;
}

export async function downloadSample(sample: Sample, place: DownloadPlace, ways: Ways): Promise<boolean> {
  if (!(await mayBuy(Boolean(sample.previewUrl), place, { kind: 'download', sample, place }))) return false;
  const answer = await purchase({
    ...buySample(sample.id),
    costCredits: isFree(sample) ? 0 : sample.creditCost,
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
    again: ways.again,
  });
}

export async function downloadWholePack(pack: PackDetail, ways: Ways): Promise<boolean> {
  const wanted = pack.samples.filter((sample) => sample.previewUrl);
  const intent = { kind: 'download-pack', creator: pack.creator.handle, slug: pack.slug } as const;
  if (!(await mayBuy(wanted.length > 0, 'pack', intent))) return false;
  const priced = wanted.filter((sample) => !isFree(sample));
  const answer = await purchase({
    id: pack.id,
    buy: (expectedCredits) =>
      apiOnce('POST /api/packs/:id/downloads', { params: { id: pack.id }, body: { expectedCredits } }),
    costCredits: priced.reduce((sum, sample) => sum + sample.creditCost, 0),
    present: {
      title: pack.title,
      by: `${countOf(priced.length, 'sample')} by ${pack.creator.displayName}`,
      cover: coverOf(pack),
      samples: wanted,
    },
    place: 'pack',
    ...ways,
  });
  if (!answer) return false;
  const { title } = pack;
  const sampleIds = answer.items.map(({ sampleId }) => sampleId);
  const ending = spentText(answer.charged, answer.balance);
  const parcel = { what: title, ending, sampleIds, name: title, again: ways.again };
  const [only] = answer.items;
  if (only && sampleIds.length === 1) return takeItem(only, parcel);
  markOwned(sampleIds);
  return takeArchive(parcel);
}

export async function downloadAgain(items: readonly { sampleId: string; title: string }[], ways: Ways) {
  const sampleIds = items.map(({ sampleId }) => sampleId);
  const ending = 'You already owned it.';
  const { again } = ways;
  const [only] = items;
  if (!only || items.length > 1) {
    for (let from = 0; from < sampleIds.length; from += ARCHIVE_LIMIT) {
      const part = sampleIds.slice(from, from + ARCHIVE_LIMIT);
      const what = countOf(part.length, 'sample');
      if (!(await takeArchive({ what, ending, sampleIds: part, again }))) return false;
    }
    markOwned(sampleIds);
    return true;
  }
  const { sampleId, title } = only;
  const answer = await purchase({
    ...buySample(sampleId),
    // The visitor owns the sample. If the server names a price all the same, the dialog asks first.
    costCredits: 0,
    present: { title, by: '', cover: { title, genre: '', artworkUrl: null }, samples: [] },
    place: 'library',
    ...ways,
  });
  if (!answer) return false;
  return takeItem(answer, { what: title, ending, sampleIds, name: title, again });
}
