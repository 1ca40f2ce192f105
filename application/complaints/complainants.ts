import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../shared/keys/signing-keys.js';

export interface ComplaintContact {
  name: string;
  email: string;
  /** Replaces the address in places that must not reveal it, such as the log. */
  complainantId: string;
}

/** Names and addresses of complainants without a session. No event contains them. */
export abstract class ComplaintContacts {
  abstract keep(complaintId: string, contact: ComplaintContact, now: Date): Promise<void>;
  abstract find(complaintId: string): Promise<ComplaintContact | undefined>;
  /** Deletes the contacts of complaints that lapsed unconfirmed, or were closed before `closedBefore`. */
  abstract sweep(closedBefore: Date): Promise<void>;
}

type Purpose = 'confirm' | 'read';

/** Makes the tokens of mailed links. A token proves that its holder gets the mails about a complaint. */
@Injectable()
export class ComplaintTokens {
  constructor(private readonly secrets: Secrets) {}

  for(purpose: Purpose, complaintId: string): Promise<string> {
    return this.mac(`${purpose} ${complaintId}`);
  }

  async fits(token: string, purpose: Purpose, complaintId: string): Promise<boolean> {
    const expected = Buffer.from(await this.for(purpose, complaintId));
    const given = Buffer.from(token);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Returns the id that represents an e-mail address in the log. */
  complainantOf(email: string): Promise<string> {
    return this.mac(`complainant ${email.toLowerCase()}`);
  }

  private async mac(text: string): Promise<string> {
    const key = await this.secrets.get('complaints');
    return createHmac('sha256', key).update(text).digest('base64url');
  }
}
