import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openTools } from '../../cli/tools.js';
import { finance } from '../../cli/finance/finance.command.js';
import type { FoundItem, Trace } from '../../application/ledger/trace/trace-contract.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { paidInvoice } from '../support/books.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { stock } from '../support/stock.js';

describe('explaining a cent', () => {
  let product: TestProduct;
  let petra: HttpClient;
  let ada: HttpClient;
  let creator: HttpClient;
  const invoice = {
    ...paidInvoice('', { taxMicroUsd: 990_000 }),
    invoiceId: 'in_trace1',
    invoiceLineId: 'il_trace1',
  };
  let purchaseId: string;

  const find = async (q: string): Promise<FoundItem[]> => {
    const { body } = await petra.get(`/api/finance/find?${new URLSearchParams({ q })}`);
    return (body as { items: FoundItem[] }).items;
  };
  const trace = async (id: string): Promise<Trace> => {
    const answer = await petra.get(`/api/finance/trace/${id}`);
    expect([id, answer.status]).toEqual([id, 200]);
    return answer.body as Trace;
  };

  beforeAll(async () => {
    product = await startTestProduct();
    [petra, ada, creator] = [
      await signedUpAs(product, 'finance'),
      await product.signedUp(),
      await product.signedUp(),
    ];
    const { database, storage, creditExecutor, eventStore } = product.resources;
    const [sample = ''] = await stock(database, 1, { creatorId: creator.userId, priceCredits: 3 });
    await storage.put(`Users/x/${sample}`, Buffer.from('x'), { contentType: 'audio/wav' });
    await creditExecutor.grantInvoice({ ...invoice, userId: ada.userId }, { correlationId: 'c' });
    const movement = {
      transactionId: 'txn_trace1',
      kind: 'charge',
      about: invoice.invoiceId,
      source: 'ch_trace1',
      grossMicroUsd: 9_990_000,
      feeMicroUsd: 590_000,
      at: '2026-11-01T00:00:00.000Z',
    };
    await eventStore.append(
      [
        {
          stream: 'balance-txn_trace1',
          expectedVersion: 0,
          events: [{ type: 'BalanceTransactionRecorded', data: movement }],
        },
      ],
      { actor: 'system:payments', correlationId: 'c' },
    );
    const bought = await ada.post(
      '/api/downloads',
      { sampleId: sample, expectedCredits: 3 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(bought.status).toBe(201);
    const { rows } = await database.pool.query(
      `select data->>'purchaseId' as id from event where type = 'SamplePurchased'`,
    );
    purchaseId = (rows[0] as { id: string }).id;
    await product.app.get(SignedHeads).signHour();
  });
  afterAll(() => product.stop());

  it('[FIN-72] shows a sale from the share back to the movement at Stripe, each card with its sum, verified and signed', async () => {
    const { cards, selected, note, proof, crumbs } = await trace(purchaseId);
    const way = cards.map(({ kind, amountMicroUsd, sum, from }) => [
      kind,
      amountMicroUsd,
      sum.microUsd,
      from.length,
    ]);
    expect(way).toEqual([
      ['sale', 324_000, 324_000, 1],
      ['segment', 540_000, 540_000, 1],
      ['lot', 9_000_000, 9_000_000, 1],
      ['invoice', 9_990_000, 9_990_000, 1],
      ['movement', 9_400_000, 9_400_000, 0],
    ]);
    expect(cards.map(({ sum }) => sum.text)).toEqual([
      '60 % of 0.540000',
      '0.540000 − 0.000000',
      '9.990000 − tax 0.990000',
      '9.000000 + tax 0.990000',
      '9.990000 − fee 0.590000',
    ]);
    expect(selected).toBe(`sale:${purchaseId}`);
    expect(note).toMatch(/Each card comes from the next one/);
    expect(crumbs.map(({ label }) => label)[0]).toBe('Creators');
    expect(
      cards[0]?.postings.reduce((sum, { commodity, delta }) => sum + (commodity === 'usd' ? delta : 0), 0),
    ).toBe(0);
    expect(proof.events.length).toBeGreaterThanOrEqual(4);
    expect(proof.events.every(({ verified }) => verified)).toBe(true);
    expect(proof.head?.position).toBeGreaterThanOrEqual(
      Math.max(...proof.events.map(({ position }) => position)),
    );
  });

  it('[FIN-72] leads on from an invoice, its line, its charge, its movement and its lot to what was bought with them', async () => {
    for (const id of [
      invoice.invoiceId,
      invoice.invoiceLineId,
      'ch_trace1',
      'txn_trace1',
      'invoice-il_trace1',
    ]) {
      const { outcomes, outcomeCount, cards } = await trace(id);
      expect(outcomes.map((one) => [one.id, one.credits, one.valueMicroUsd])).toEqual([
        [purchaseId, 3, 540_000],
      ]);
      expect(outcomeCount).toBe(1);
      expect(cards.map(({ kind }) => kind).sort()).toEqual(['invoice', 'lot', 'movement']);
    }
  });

  it('[FIN-72] answers 404 to what the books do not have, and 400 to what is no id', async () => {
    expect((await petra.get('/api/finance/trace/in_nothing')).status).toBe(404);
    expect((await petra.get('/api/finance/trace/%20')).status).toBe(400);
    expect((await petra.get(`/api/finance/trace/${purchaseId}?line=0`)).status).toBe(400);
    expect((await ada.get(`/api/finance/trace/${purchaseId}`)).status).toBe(403);
    expect((await ada.get('/api/finance/find?q=in_trace1')).status).toBe(403);
    expect((await petra.get('/api/finance/find?q=%20')).status).toBe(400);
  });

  it('[FIN-73] finds by the beginning of an id, a position, a name, an e-mail, an amount and a day', async () => {
    const first = async (q: string) => (await find(q)).map(({ kind, href }) => [kind, href])[0];
    expect(await first('in_trace1')).toEqual(['invoice', '/finance/trace/in_trace1']);
    expect(await first('in_tra')).toEqual(['invoice', '/finance/trace/in_trace1']);
    expect(await first('ch_trace')).toEqual(['charge', '/finance/trace/ch_trace1']);
    expect(await first('#1')).toEqual(['event', '/finance/trace/1']);
    expect((await find('$9.99')).map(({ id }) => id).sort()).toEqual(['invoice-il_trace1', 'txn_trace1']);
    expect((await find('−9.40')).map(({ id }) => id)).toEqual(['txn_trace1']);
    expect(await first('2026-11-20')).toEqual(['day', '/finance/events?from=2026-11-20']);
    const { email } = (await ada.get('/api/auth/session')).body.user as { email: string };
    expect((await find(email)).map(({ kind, id }) => [kind, id])).toEqual([['person', ada.userId]]);
    expect(await find('nothing has this')).toEqual([]);
  });

  it('[FIN-74] prints the same on the command line, and says where a sum does not tie', async () => {
    const tools = await openTools(product.resources.config);
    const lines: string[] = [];
    const run = (subject: string, format?: string) => {
      lines.length = 0;
      return finance(tools, { command: 'trace', subject, ...(format ? { format } : {}) }, (line) =>
        lines.push(line),
      );
    };
    try {
      expect(await run(purchaseId)).toBe(true);
      expect(lines.join('\n')).toContain('amount          0.324000 = 60 % of 0.540000');
      expect(lines.at(-1)).toMatch(/events verified against their hashes; signed head of/);
      expect(await run('txn_trace1', 'json')).toBe(true);
      expect((JSON.parse(lines.join('\n')) as Trace).selected).toBe('movement:txn_trace1');
      expect(await run('in_nothing')).toBe(false);
      // The provider reports a charge without an invoice in the books.
      const lonely = {
        transactionId: 'txn_alone1',
        kind: 'charge',
        about: 'in_alone1',
        grossMicroUsd: 50_000,
        feeMicroUsd: 0,
      };
      await product.resources.eventStore.append(
        [
          {
            stream: 'balance-txn_alone1',
            expectedVersion: 0,
            events: [
              { type: 'BalanceTransactionRecorded', data: { ...lonely, at: '2026-11-01T00:00:00.000Z' } },
            ],
          },
        ],
        { actor: 'system:payments', correlationId: 'c' },
      );
      const { position } = await product.resources.eventStore.head();
      await product.resources.logSubscriptions.caughtUp(position, 20_000, ['trace-ids']);
      expect(await run('txn_alone1')).toBe(false);
      expect(lines.join('\n')).toContain('DIFFERS');
    } finally {
      await tools.close();
    }
  });
});
