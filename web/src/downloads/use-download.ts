import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { fetchPart } from '../shell/lazy-with-preload.js';
import { toast } from '../ui/overlays/toast.js';
import type { Go } from './download-alerts.js';
import { isAsking } from './confirmation.js';
import type { Ways } from './flows.js';
import type { DownloadPlace } from './place.js';

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

/** Downloads, and whether they are under way: no dialog shows them. */
const running = new Map<string, boolean>();

/** Runs a flow unless the same one runs already. */
async function once(id: string, flow: () => Promise<boolean>): Promise<boolean> {
  if (running.has(id)) {
    const description = 'The download you asked for is still under way.';
    if (running.get(id) && !isAsking(id)) toast({ title: 'Downloading', description, tone: 'info' });
    return false;
  }
  running.set(id, false);
  try {
    return await flow();
  } finally {
    running.delete(id);
  }
}

type Flows = typeof import('./flows.js');

/** The download flow, with a way to other pages. */
export function downloadsWith(go: Go): Downloads {
  /** A flow that may be run again from what it reports. */
  const run = (id: string, flow: (flows: Flows, ways: Ways) => Promise<boolean>): Promise<boolean> =>
    once(id, async () => {
      const flows = await fetchPart(() => import('./flows.js'));
      const ways = { go, started: () => void running.set(id, true), again: () => void run(id, flow) };
      return flows ? flow(flows, ways) : false;
    });
  return {
    download: (sample, place) => run(sample.id, (flows, ways) => flows.downloadSample(sample, place, ways)),
    downloadOwned: (items) =>
      run(items.map(({ sampleId }) => sampleId).join(), (flows, ways) => flows.downloadAgain(items, ways)),
    downloadPack: (pack) => run(pack.id, (flows, ways) => flows.downloadWholePack(pack, ways)),
  };
}

/** The download flow, for rows, player and pack page. */
export function useDownload(): Downloads {
  const navigate = useNavigate();
  return useMemo(() => downloadsWith((path) => void navigate(path)), [navigate]);
}
