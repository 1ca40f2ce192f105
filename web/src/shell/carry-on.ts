import { packQuery } from '../api/catalogue.js';
import { queryClient } from '../api/query-client.js';
import { askCollect } from '../collections/collect-request.js';
import { copyToMine } from '../collections/copy-to-mine.js';
import { downloadsWith } from '../downloads/use-download.js';
import { follow } from '../following/follow.js';
import { buy } from '../plans/checkout.js';
import { save, saveableSample } from '../samples/saved.js';
import { saveablePack } from '../samples/saved-packs.js';
import type { Navigation } from '../navigation.js';
import { fetchPart } from './lazy-with-preload.js';
import type { Intent } from '../session/after-sign-in.js';

type Way = Pick<Navigation, 'shown' | 'listen' | 'push'>;

/** Waits until the sign-in page has redirected the visitor, because the redirect would close an open dialog. */
const leftSignInPage = (navigation: Way): Promise<void> =>
  new Promise((resolve) => {
    const isThere = () => navigation.shown().location.pathname === '/auth';
    if (!isThere()) return resolve();
    const stop = navigation.listen(() => {
      if (isThere()) return;
      stop();
      resolve();
    });
  });

/**
 * Continues the action that the visitor wanted before signing in. An action that costs money or credits still needs a
 * confirmation.
 */
export async function carryOn(intent: Intent, navigation: Way): Promise<void> {
  await leftSignInPage(navigation);
  const { download, downloadPack, downloadPicked, exportWorkbench } = downloadsWith((path) =>
    navigation.push(path),
  );
  switch (intent.kind) {
    case 'buy':
      return buy(intent.product, intent.place);
    case 'follow':
      return void (await follow({ subject: intent.creator, follows: true }));
    case 'save':
      return save({ thing: saveableSample(intent.sample, intent.place), saved: true });
    case 'save-pack':
      return save({ thing: saveablePack(intent.pack), saved: true });
    case 'collect':
      return askCollect(intent.thing);
    case 'copy-collection':
      return copyToMine(intent.token, (path) => navigation.push(path));
    case 'download':
      return void (await download(intent.sample, intent.place));
    case 'download-picked':
      return void (await downloadPicked(intent.picked));
    case 'export-workbench': {
      const file = await fetchPart(() => import('../workbench/saving.js'));
      const asked = await file?.openMoved(intent.asked);
      return void (asked && (await exportWorkbench(asked)));
    }
    case 'download-pack':
      return void (await downloadPack(await queryClient.fetchQuery(packQuery(intent.creator, intent.slug))));
  }
}
