import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import type { Picked } from '../picks/picks.js';
import { fetchPart } from '../shell/lazy-with-preload.js';
import { toast } from '../ui/overlays/toast.js';
import type { Go } from './download-alerts.js';
import { isAsking } from './confirmation.js';
import type { Ways } from './purchase.js';
import type { DownloadPlace, WorkbenchExport } from '../session/after-sign-in.js';

export interface Downloads {
  /**
   * Buys a sample if necessary, and downloads it. Resolves false if the file does not arrive, or if a download of this
   * sample is already in progress.
   */
  download: (sample: Sample, place: DownloadPlace) => Promise<boolean>;
  /** Buys every sample of a pack that the visitor does not own, and delivers the whole pack as one archive. */
  downloadPack: (pack: PackDetail) => Promise<boolean>;
  /** Buys the picked samples that the visitor does not own, with one confirmation, and delivers all as one archive. */
  downloadPicked: (picked: readonly Picked[]) => Promise<boolean>;
  /** Buys the samples of a workbench that the visitor does not own, and delivers the workbench in a format. */
  exportWorkbench: (asked: WorkbenchExport) => Promise<boolean>;
  /** Downloads owned samples again for free, even if they are no longer on sale. Several arrive in archives. */
  downloadOwned: (items: readonly { sampleId: string; title: string }[]) => Promise<boolean>;
}

/** Downloads in progress, by id. The value is true once the visitor has agreed to the price, or at once if it is 0. */
const running = new Map<string, boolean>();

async function once(id: string, flow: () => Promise<boolean>): Promise<boolean> {
  if (running.has(id)) {
    const description = 'This download is still in progress.';
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

export function downloadsWith(go: Go): Downloads {
  /** Runs a flow unless it is in progress. Its messages can offer to run it again. */
  const run = (id: string, flow: (flows: Flows, ways: Ways) => Promise<boolean>): Promise<boolean> =>
    once(id, async () => {
      const flows = await fetchPart(() => import('./flows.js'));
      const ways = { go, started: () => void running.set(id, true), again: () => void run(id, flow) };
      return flows ? flow(flows, ways) : false;
    });
  const downloadPicked: Downloads['downloadPicked'] = (picked) =>
    run('picked', (flows, ways) => flows.downloadPicked(picked, ways, (rest) => void downloadPicked(rest)));
  return {
    downloadPicked,
    exportWorkbench: (asked) => run('workbench', (flows, ways) => flows.exportWorkbench(asked, ways)),
    download: (sample, place) => run(sample.id, (flows, ways) => flows.downloadSample(sample, place, ways)),
    downloadOwned: (items) =>
      run(items.map(({ sampleId }) => sampleId).join(), (flows, ways) => flows.downloadAgain(items, ways)),
    downloadPack: (pack) => run(pack.id, (flows, ways) => flows.downloadWholePack(pack, ways)),
  };
}

export function useDownload(): Downloads {
  const navigate = useNavigate();
  return useMemo(() => downloadsWith((path) => void navigate(path)), [navigate]);
}
