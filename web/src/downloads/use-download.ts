import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { ARCHIVE_LIMIT } from '../../../application/purchases/values.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';
import { currentSession, isSignedIn } from '../session/session.js';
import { countOf } from '../ui/format.js';
import { toast } from '../ui/overlays/toast.js';
import { type Go, askToSignIn, notifyFailedDelivery, notifyUnavailable } from './download-alerts.js';
import { deliverArchive, leftOutSentence } from './archive.js';
import { deliver } from './deliver.js';
import { isOwned, markOwned } from './owned.js';
import type { DownloadPlace } from './place.js';
import { purchase } from './purchase.js';

export interface Downloads {
  /**
   * Runs the whole flow for one sample: gates, price dialog, payment, delivery. Resolves true when the file is on its
   * way; a second press while it runs does nothing.
   */
  download: (sample: Sample, place: DownloadPlace) => Promise<boolean>;
  /** Buys every sample of a pack that is not owned yet; the whole pack arrives as one archive. */
  downloadPack: (pack: PackDetail) => Promise<boolean>;
  /** Downloads what is owned again, free, also when it has left the catalogue; several as one archive. */
  downloadOwned: (items: readonly { sampleId: string; title: string }[]) => Promise<boolean>;
}

const running = new Set<string>();

/** Runs a flow unless the same one runs already. */
async function once(id: string, flow: () => Promise<boolean>): Promise<boolean> {
  if (running.has(id)) return false;
  running.add(id);
  try {
    return await flow();
  } finally {
    running.delete(id);
  }
}

const isFree = (sample: Sample) => isOwned(sample) || sample.creator.id === currentSession().user?.id;

const spentText = (charged: number, balance: number) =>
  charged > 0
    ? `${countOf(charged, 'credit')} spent, ${balance.toLocaleString('en')} left.`
    : 'You already owned it.';

async function downloadSample(sample: Sample, place: DownloadPlace, go: Go): Promise<boolean> {
  if (!sample.previewUrl) {
    notifyUnavailable(place);
    return false;
  }
  if (!(await isSignedIn())) {
    askToSignIn(place, { kind: 'download', sample, place });
    return false;
  }
  const answer = await purchase({
    ...buySample(sample.id),
    costCredits: isFree(sample) ? 0 : sample.creditCost,
    present: {
      title: sample.title,
      by: sample.creator.displayName,
      cover: { title: sample.pack.title, genre: sample.genre, artworkUrl: sample.artworkUrl },
    },
    place,
    go,
  });
  if (!answer) return false;
  const delivered = await deliver(answer.download);
  // Paid is owned, whether or not the file arrived.
  markOwned([sample.id]);
  if (delivered) {
    toast({
      title: 'Downloaded',
      description: `${sample.title}. ${spentText(answer.charged, answer.balance)}`,
    });
  } else notifyFailedDelivery();
  return delivered;
}

const buySample = (sampleId: string) => ({
  id: sampleId,
  buy: ({ expectedCredits, idempotencyKey }: { expectedCredits: number; idempotencyKey: string }) =>
    api('POST /api/downloads', { body: { sampleId, expectedCredits }, idempotencyKey }),
});

/** @param what was downloaded, for the toasts @param ending what it cost */
async function takeArchive(
  sampleIds: string[],
  { what, ending, name }: { what: string; ending: string; name?: string },
): Promise<boolean> {
  try {
    const taken = await deliverArchive(sampleIds, name);
    if (!taken) {
      notifyFailedDelivery();
      return false;
    }
    const { answer, underWay, arrived } = taken;
    if (underWay)
      toast({
        title: 'Downloading',
        description: `${answer.filename} is being downloaded to your disk.`,
        tone: 'info',
      });
    // A slow connection takes its time, and the page stays usable.
    void arrived.then((whole) => {
      const left = leftOutSentence(answer.leftOut);
      if (whole) toast({ title: 'Downloaded', description: `${what}. ${ending}${left}` });
      else notifyFailedDelivery();
    });
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) askToSignIn('library');
    else if (error instanceof ApiProblem && ['DownloadUnavailable', 'Gone'].includes(error.code))
      notifyUnavailable('library');
    else notifyFailedDelivery();
    return false;
  }
}

async function downloadWholePack(pack: PackDetail, go: Go): Promise<boolean> {
  const wanted = pack.samples.filter((sample) => sample.previewUrl);
  if (wanted.length === 0) {
    notifyUnavailable('pack');
    return false;
  }
  if (!(await isSignedIn())) {
    askToSignIn('pack', { kind: 'download-pack', creator: pack.creator.handle, slug: pack.slug });
    return false;
  }
  const priced = wanted.filter((sample) => !isFree(sample));
  const answer = await purchase({
    id: `pack ${pack.id}`,
    buy: ({ expectedCredits, idempotencyKey }) =>
      api('POST /api/packs/:id/downloads', {
        params: { id: pack.id },
        body: { expectedCredits },
        idempotencyKey,
      }),
    costCredits: priced.reduce((sum, sample) => sum + sample.creditCost, 0),
    present: {
      title: pack.title,
      by: `${countOf(priced.length, 'sample')} by ${pack.creator.displayName}`,
      cover: { title: pack.title, genre: pack.genre, artworkUrl: pack.artworkUrl },
    },
    place: 'pack',
    go,
  });
  if (!answer) return false;
  const sampleIds = answer.items.map(({ sampleId }) => sampleId);
  // Paid is owned, whether or not the files arrive.
  markOwned(sampleIds);
  const ending = spentText(answer.charged, answer.balance);
  const [only] = answer.items;
  if (!only || sampleIds.length > 1)
    return takeArchive(sampleIds, { what: pack.title, ending, name: pack.title });
  const delivered = await deliver(only.download);
  if (delivered) toast({ title: 'Downloaded', description: `${pack.title}. ${ending}` });
  else notifyFailedDelivery();
  return delivered;
}

async function downloadAgain(
  items: readonly { sampleId: string; title: string }[],
  go: Go,
): Promise<boolean> {
  const sampleIds = items.map(({ sampleId }) => sampleId);
  const ending = 'You already owned it.';
  const [only] = items;
  if (!only || items.length > 1) {
    for (let from = 0; from < sampleIds.length; from += ARCHIVE_LIMIT) {
      const part = sampleIds.slice(from, from + ARCHIVE_LIMIT);
      if (!(await takeArchive(part, { what: countOf(part.length, 'sample'), ending }))) return false;
    }
    markOwned(sampleIds);
    return true;
  }
  const { sampleId, title } = only;
  const answer = await purchase({
    ...buySample(sampleId),
    // Nothing may be charged here: a price would be asked first.
    costCredits: 0,
    present: { title, by: '', cover: { title, genre: '', artworkUrl: null } },
    place: 'library',
    go,
  });
  if (!answer) return false;
  const delivered = await deliver(answer.download);
  markOwned(sampleIds);
  if (delivered) toast({ title: 'Downloaded', description: `${title}. ${ending}` });
  else notifyFailedDelivery();
  return delivered;
}

/** The download flow, with a way to other pages. */
export const downloadsWith = (go: Go): Downloads => ({
  download: (sample, place) => once(sample.id, () => downloadSample(sample, place, go)),
  downloadOwned: (items) =>
    once(items.map(({ sampleId }) => sampleId).join(), () => downloadAgain(items, go)),
  downloadPack: (pack) => once(pack.id, () => downloadWholePack(pack, go)),
});

/** The download flow, for rows, player and pack page. */
export function useDownload(): Downloads {
  const navigate = useNavigate();
  return useMemo(() => downloadsWith((path) => void navigate(path)), [navigate]);
}
