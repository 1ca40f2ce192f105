import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within as inside } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ApiProblem, request, requestFile } from '../../web/src/api/transport/http.js';
import { startOnboarding } from '../../web/src/api/creator.js';
import { ANSWER_LIMIT_MS, LONG_ANSWER_LIMIT_MS } from '../../web/src/api/transport/time-limit.js';
import { DownloadHost } from '../../web/src/shell/layout.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { STALL_LIMIT_MS, sendFile } from '../../web/src/screens/pack-editor/upload/transmit.js';
import { write } from '../../web/src/screens/pack-editor/write-pack.js';
import { signOut } from '../../web/src/session/session.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

let server: StubServer;
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  server = new StubServer({
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/credits': { json: { balance: 128, lots: [] } },
  });
  signedInAs(NOOR);
});
afterEach(async () => {
  jest.useRealTimers();
  act(() => settleAlert(false));
  cleanup();
  document.querySelector('meta[name=offcut-backend]')?.remove();
  await signOut();
});

const failureOf = (asked: Promise<unknown>): Promise<ApiProblem> =>
  asked.then(
    () => Promise.reject(new Error('it was answered')),
    (error: ApiProblem) => error,
  );

describe('waiting for the server', () => {
  it.each([
    ['a question', () => request('GET', '/slow'), 'Please try again'],
    ['a change', () => request('PATCH', '/slow'), 'We do not know whether it was done.'],
    ['a payment', () => request('POST', '/slow', { idempotencyKey: 'one' }), 'it is done only once'],
  ])('[WEB-13] ends for %s that is never answered', async (_, ask, text) => {
    jest.useFakeTimers();
    for (const method of ['GET', 'PATCH', 'POST']) server.on(`${method} /slow`, never);
    const failure = failureOf(ask());
    await jest.advanceTimersByTimeAsync(ANSWER_LIMIT_MS);
    const { code, status, message } = await failure;
    expect({ code, status }).toEqual({ code: 'AnswerOverdue', status: 0 });
    expect(message).toContain(text);
  });

  it('[WEB-930] ends for a file that never begins', async () => {
    jest.useFakeTimers();
    server.on('GET /slow', never);
    const failure = failureOf(requestFile('/slow'));
    await jest.advanceTimersByTimeAsync(LONG_ANSWER_LIMIT_MS);
    const { code, message } = await failure;
    expect(code).toBe('AnswerOverdue');
    expect(message).toContain('Please try again');
  });

  it.each([
    ['a file', () => requestFile('/slow')],
    ['a file that a change makes', () => requestFile('/slow', {})],
    ['a question', () => request('GET', '/slow')],
  ])('[WEB-930] says that the connection was lost before or while %s arrives', async (_, ask) => {
    jest.useFakeTimers();
    const lost = () => Promise.reject(new TypeError('Failed to fetch'));
    for (const answer of [lost, { breaks: true }]) {
      server.on('GET /slow', answer).on('POST /slow', answer);
      const failure = failureOf(ask());
      await jest.runAllTimersAsync();
      const { code, message } = await failure;
      expect(code).toBe('Unreachable');
      expect(message).toContain('Check your connection and try again.');
    }
  });

  it('[WEB-13] holds up no other pack while a change of one is not answered', async () => {
    void write('first', never);
    expect(await write('second', () => Promise.resolve('written'))).toBe('written');
  });
});

it('[WEB-14] a payment without an answer claims nothing, closes, and keeps its key when it is tried again', async () => {
  jest.useFakeTimers();
  const visitor = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  server.on('POST /api/downloads', never);
  renderAt(
    '/search',
    <>
      <SampleList samples={[sampleNamed('slow')]} place="list" label="Tracks" />
      <DownloadHost />
    </>,
  );
  const buy = async () => {
    await visitor.click(screen.getByRole('button', { name: /Download for/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Download' });
    await visitor.click(inside(dialog).getByRole('button', { name: 'Download' }));
  };
  await buy();
  await act(() => jest.advanceTimersByTimeAsync(ANSWER_LIMIT_MS));
  const alert = await screen.findByRole('alertdialog', { name: 'Error' });
  expect(alert.textContent).toContain('We do not know yet whether you were charged.');
  expect(alert.textContent).toContain('If you try again, you are charged only once.');
  expect(screen.queryByRole('alertdialog', { name: 'Confirm Download' })).toBeNull();
  await visitor.click(screen.getByRole('button', { name: 'OK' }));
  await buy();
  await waitFor(() => expect(server.seen('POST /api/downloads')).toHaveLength(2));
  const keys = server.seen('POST /api/downloads').map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
  await act(() => jest.advanceTimersByTimeAsync(ANSWER_LIMIT_MS));
});

describe('sending a file', () => {
  const send = () =>
    sendFile('POST /api/creator/packs/:id/samples', { params: { id: 'p' }, body: new FormData() });
  beforeEach(() => void takeUploads());

  it('[WEB-13] lasts as long as it moves, and ends when it stands still', async () => {
    jest.useFakeTimers();
    const failure = failureOf(send());
    const [upload] = FakeUpload.all;
    for (let minute = 1; minute < 10; minute += 1) {
      await jest.advanceTimersByTimeAsync(STALL_LIMIT_MS - 1);
      upload?.progress(minute, 10);
    }
    expect(upload?.isAborted).toBe(false);
    await jest.advanceTimersByTimeAsync(STALL_LIMIT_MS);
    expect(upload?.isAborted).toBe(true);
    expect((await failure).code).toBe('AnswerOverdue');
  });

  const nameBackend = (content: string) => {
    const meta = Object.assign(document.createElement('meta'), { name: 'offcut-backend', content });
    document.head.append(meta);
  };

  it('[WEB-15] goes to the backend that the page names, with the session', async () => {
    nameBackend('https://api.localhost');
    const sent = send();
    const [upload] = FakeUpload.all;
    expect([upload?.path, upload?.withCredentials]).toEqual([
      'https://api.localhost/api/creator/packs/p/samples',
      true,
    ]);
    upload?.answer(201, {});
    await sent;
  });

  it('[ERR-05] [WEB-15] goes nowhere when the page names a backend that may not be, nor do files and onboarding', async () => {
    nameBackend('https://api.elsewhere.example');
    expect((await failureOf(send())).message).toBe('backend not configured');
    expect(FakeUpload.all).toEqual([]);
    const failure = await failureOf(startOnboarding(NOOR));
    expect(failure.message).toContain('backend not configured');
    expect((await failureOf(requestFile('/api/finance/vat/2026-Q1/firms.csv'))).message).toBe(
      'backend not configured',
    );
    expect(server.requests).toEqual([]);
  });
});
