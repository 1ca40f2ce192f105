import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import {
  Route,
  Routes,
  UNSAFE_createMemoryHistory as createMemoryHistory,
  parsePath,
} from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import type { Sample, SamplePage } from '../../../application/catalogue/contract.js';
import { kindOf } from '../../../application/catalogue/values.js';
import TrayStrip from '../../../web/src/downloads/tray-strip.js';
// The page prefetches it too.
import '../../../web/src/downloads/flows.js';
import { useTape } from '../../../web/src/creators/unfinished-uploads.js';
import PickBar from '../../../web/src/picks/pick-bar.js';
import { usePicking } from '../../../web/src/picks/picks.js';
import UploadTape from '../../../web/src/screens/pack-editor/upload/upload-tape.js';
import { queryClient } from '../../../web/src/api/query-client.js';
import { NavigationRouter, navigationOver } from '../../../web/src/navigation.js';
import { acceptSignIn, signOut } from '../../../web/src/session/session.js';
import AlertDialog from '../../../web/src/ui/overlays/alert-dialog.js';
import { settleAlert, useAlertRequest } from '../../../web/src/ui/overlays/alerts.js';
import { dismissToast, ToastRegion } from '../../../web/src/ui/overlays/toast.js';

// Answers arrive between a test's own steps, so React needs `act`. During a wait, it is already active.
notifyManager.setNotifyFunction((notify) => {
  if ((globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT) act(notify);
  else notify();
});

export const NOOR: User = {
  id: 'noor',
  email: 'noor@paperround.fm',
  displayName: 'Noor Haddad',
  avatarUrl: null,
  isCreator: false,
  roles: [],
};

/** Returns a session as the server answers it. @param expiresAt Unix seconds */
export const sessionUntil = (expiresAt: number) => ({
  access_token: 'token',
  expires_at: expiresAt,
  expires_in: 7 * 24 * 3600,
});

/** Signs in a user for the whole test file. */
export function signedInAs(user: User): void {
  acceptSignIn({ user, session: sessionUntil(Math.floor(Date.now() / 1000) + 7 * 24 * 3600) });
}

/** Closes everything that a test left open, and signs out. */
export async function leave(): Promise<void> {
  act(() => {
    settleAlert(false);
    dismissToast();
  });
  cleanup();
  await signOut();
  // Makes a poll for a payment look at once and see the sign-out. Otherwise it would send requests during the next test.
  window.dispatchEvent(new Event('focus'));
}

function Alerts() {
  const request = useAlertRequest();
  return request && <AlertDialog request={request} />;
}

const Picks = () => usePicking() && <PickBar />;
const Tape = () => useTape() && <UploadTape />;

/** Empties the cache except for the session, as if the page had just been opened. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'GET /api/auth/session' });
  queryClient.getMutationCache().clear();
}

/** Returns a way through the pages that starts at an address. */
export const navigationAt = (address: string, state?: object) =>
  navigationOver(
    createMemoryHistory({
      initialEntries: [{ ...parsePath(address), state: state ?? null }],
      v5Compat: true,
    }),
  );

/** Renders a screen or component at an address, with everything that floats above it. */
export function renderAt(
  address: string,
  screen: ReactNode,
): RenderResult & { path: () => string; back: () => Promise<void> } {
  forgetAnswers();
  const navigation = navigationAt(address);
  const result = render(
    <QueryClientProvider client={queryClient}>
      <NavigationRouter navigation={navigation}>
        <Routes>
          <Route path="*" element={screen} />
        </Routes>
        <Alerts />
        <Picks />
        <Tape />
        <ToastRegion>
          <TrayStrip />
        </ToastRegion>
      </NavigationRouter>
    </QueryClientProvider>,
  );
  return {
    ...result,
    path: () => navigation.shown().location.pathname + navigation.shown().location.search,
    back: async () => act(() => navigation.go(-1)),
  };
}

/** What a row of the downloads says about its files, which screens do not show. */
export const FILE_FACTS = {
  purchasedAt: '2026-11-20T10:00:00.000Z',
  sha256: 'a'.repeat(64),
  bpm: 0,
  key: null,
  genre: 'Soul',
  mood: 'Chill',
  instruments: [],
  kind: null,
  midi: null,
  stems: null,
};

/** Returns a sample like those of the demo. */
export function sampleNamed(id: string, more: Partial<Sample> = {}): Sample {
  const sample: Omit<Sample, 'kind'> = {
    id,
    title: 'Rented piano, left hand',
    creator: {
      id: 'wren',
      handle: 'Wren_Abbott',
      displayName: 'Wren Abbott',
      avatarUrl: null,
      verified: true,
      aiTraining: false,
    },
    pack: { id: 'pack-1', title: 'Rented Piano', slug: 'rented-piano' },
    artworkUrl: null,
    durationMs: 21_000,
    bpm: 76,
    key: 'C Major',
    mood: 'Nostalgic',
    genre: 'Lofi',
    instruments: ['Piano'],
    creditCost: 1,
    hasStems: false,
    origin: null,
    hasMidi: true,
    isRoyaltyFree: true,
    previewUrl: '/media/previews/one.mp3',
    waveform: Array.from({ length: 50 }, (_, bar) => bar * 2),
    owned: false,
    ...more,
  };
  return { kind: kindOf({ ...sample, titleLower: sample.title.toLowerCase() }), ...sample };
}

/** The facts that the page of a sample shows about its original. */
export const ORIGINAL_FACTS = {
  kind: 'loop',
  format: 'wav',
  sizeBytes: 4_900_000,
  sampleRateHz: 44_100,
  channels: 2,
  onSale: true,
} as const;

/** Returns a page of a search, without counts of filters. */
export const pageOf = (items: Sample[], total = items.length): SamplePage => ({
  items,
  total,
  facets: {
    key: {},
    mood: {},
    genre: {},
    kind: {},
    hasMidi: {},
    hasStems: {},
    credits: {},
    origin: {},
    instrument: {},
  },
  nextCursor: null,
  interpretation: { dropped: [] },
});
