import type { createBrowserRouter } from 'react-router-dom';
import { packQuery } from '../api/catalogue.js';
import { queryClient } from '../api/query-client.js';
import { downloadsWith } from '../downloads/use-download.js';
import { choosePlan } from '../plans/checkout.js';
import { save, saveableSample } from '../samples/saved.js';
import { saveablePack } from '../samples/saved-packs.js';
import type { Intent } from '../session/after-sign-in.js';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe' | 'navigate'>;

/** Waits until the sign-in page has redirected the visitor, because the redirect would close a dialog. */
const leftSignInPage = (router: Router): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.location.pathname !== '/auth') return resolve();
    const deaf = router.subscribe(({ location }) => {
      if (location.pathname === '/auth') return;
      deaf();
      resolve();
    });
  });

/** Continues the action that the visitor wanted before signing in. Prices still need a confirmation. */
export async function carryOn(intent: Intent, router: Router): Promise<void> {
  await leftSignInPage(router);
  const { download, downloadPack } = downloadsWith((path) => void router.navigate(path));
  switch (intent.kind) {
    case 'plan':
      return choosePlan(intent.plan, intent.place);
    case 'save':
      return save({ thing: saveableSample(intent.sample, intent.place), saved: true });
    case 'save-pack':
      return save({ thing: saveablePack(intent.pack), saved: true });
    case 'download':
      return void (await download(intent.sample, intent.place));
    case 'download-pack':
      return void (await downloadPack(await queryClient.fetchQuery(packQuery(intent.creator, intent.slug))));
  }
}
