import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Reconcile } from '../../application/ledger/reconcile.js';
import type { StaffRole } from '../../domain/accounts/staff.js';
import { paidInvoice } from './books.js';
import { keyed, type HttpClient } from './http-client.js';
import { bookOf } from './money-back.js';
import { startTestProduct, type TestProduct } from './product.js';
import { signedUpAs } from './staff.js';
import { purchaseOf, stock } from './stock.js';

/** A product with two administrators, Pia and Quinn, Petra of finance, and Ada, who is new in each test. */
export class Office {
  product!: TestProduct;
  pia!: HttpClient;
  quinn!: HttpClient;
  petra!: HttpClient;
  ada!: HttpClient;
  /** The number of the current test. */
  round = 0;

  /** Opens the office before the tests of a file and closes it after them. */
  static forTests(): Office {
    const office = new Office();
    beforeAll(async () => {
      office.product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
      office.pia = await office.withRole('admin');
      office.quinn = await office.withRole('admin');
      office.petra = await office.withRole('finance');
    });
    afterAll(() => office.product?.stop());
    beforeEach(async () => {
      office.round += 1;
      office.ada = await office.product.signedUp();
    });
    return office;
  }

  withRole(role: StaffRole): Promise<HttpClient> {
    return signedUpAs(this.product, role);
  }

  /** Pia gives Ada credits, or takes them. */
  adjust(credits: number, more: object = {}, key?: string) {
    const body = { userId: this.ada.userId, credits, reason: 'Sorry for the wait', ...more };
    return this.pia.post('/api/admin/adjustments', body, keyed(key));
  }

  /** A person decides on a request. */
  decide(who: HttpClient, id: string, decision: 'approve' | 'decline' | 'withdraw', house = 'admin') {
    const body = decision === 'decline' ? { reason: 'Not this time' } : {};
    return who.post(`/api/${house}/approvals/${id}/${decision}`, body, keyed());
  }

  /** Returns the adjustments that wait or were decided, newest first. */
  async adjustments(state: 'waiting' | 'decided') {
    const path = `/api/admin/approvals?kind=adjustment&state=${state}&limit=100`;
    return (await this.quinn.get(path)).body.items;
  }

  /** Creates a lot that Ada paid for. */
  async paidLot(more: object = {}): Promise<string> {
    const { creditExecutor, database } = this.product.resources;
    const invoice = { ...paidInvoice(this.ada.userId), ...more };
    await creditExecutor.grantInvoice(invoice, { correlationId: 'c' });
    const { rows } = await database.pool.query<{ lot_id: string }>(
      `select lot_id from credit_grant where user_id = $1 and kind = 'paid'`,
      [this.ada.userId],
    );
    return rows[0]?.lot_id as string;
  }

  /** Creates a lot that Ada paid for and spent. */
  async spentLot(more: { credits?: number; netMicroUsd?: number; grossMicroUsd?: number } = {}) {
    const { creditExecutor, database } = this.product.resources;
    const lotId = await this.paidLot(more);
    const priceCredits = more.credits ?? 50;
    const prefix = `spent-${randomUUID().slice(0, 8)}-`;
    const samples = await stock(database, 1, { prefix, priceCredits });
    await this.store(samples);
    const order = purchaseOf(this.ada.userId as string, samples, { expectedCredits: priceCredits });
    expect((await creditExecutor.buy(order)).outcome.status).toBe('bought');
    return lotId;
  }

  accountBalance(account: string): Promise<number> {
    return bookOf(this.petra, account);
  }

  /**
   * Returns the broken rules about money. Tests stock the shop by hand, so its read models differ from the
   * log.
   */
  async broken() {
    const { invariants } = await this.product.app.get(Reconcile, { strict: false }).run();
    return invariants.filter(
      ({ holds, number, detail = '' }) =>
        !holds && (number !== 18 || /credits|owned|journal|adjust/.test(detail)),
    );
  }

  /** Stores a file for each sample that was stocked by hand. */
  async store(samples: string[]): Promise<void> {
    const { database, storage } = this.product.resources;
    for (const id of samples)
      await storage.put(`Users/x/${id}`, Buffer.from('x'), { contentType: 'audio/wav' });
    await database.pool.query(`update sample set original_sha256 = encode(sha256('x'), 'hex')`);
  }

  buy(who: HttpClient, sampleId: string) {
    return who.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());
  }
}
