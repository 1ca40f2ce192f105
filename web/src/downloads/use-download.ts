import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { openSignIn } from '../session/sign-in-request.js';
import { useSession } from '../session/session.js';
import { toast } from '../ui/toast.js';

/** Where the visitor pressed: some texts differ between lists, the pack page, Swipe and the library. */
export type DownloadPlace = 'list' | 'pack' | 'swipe' | 'creator' | 'library';

export interface Downloads {
  /** Runs the whole flow for one sample: gates, price dialog, payment, delivery. */
  download: (sample: Sample, place: DownloadPlace) => void;
  /** The same for every sample of a pack that is not owned yet. */
  downloadPack: (pack: PackDetail) => void;
}

/** The download flow, for rows, player and pack page. */
export function useDownload(): Downloads {
  const { status } = useSession();
  const gate = () => {
    if (status === 'signed-in') return;
    toast({
      title: 'Sign in required',
      description: 'Please sign in to download tracks.',
      tone: 'info',
      action: { label: 'Sign in', onPress: () => openSignIn() },
    });
  };
  return { download: gate, downloadPack: gate };
}
