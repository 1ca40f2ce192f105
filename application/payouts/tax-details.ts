import { Injectable } from '@nestjs/common';
import { missingIn, reportFor, type TaxPerson } from '../../domain/payouts/tax-reports.js';
import { WallClock } from '../shared/clock.js';
import { seal, unsealWith } from '../shared/keys/sealing.js';
import { SigningKeys } from '../shared/keys/signing-keys.js';
import type { StatedTaxDetails, TaxDetails, TaxDetailsBody, TaxDetailsOfProvider } from './tax-contract.js';

/** The tax numbers of a creator in full. They leave this file only for the export of finance. */
export interface TaxNumbers {
  taxIds: readonly { country: string; number: string }[];
  vatId: string | null;
}

export interface StoredTaxDetails {
  creatorId: string;
  stated: StatedTaxDetails | null;
  /** The encrypted `TaxNumbers`. Null exactly if nothing is stated. */
  sealedNumbers: Buffer | null;
  fromProvider: TaxDetailsOfProvider | null;
  changedAt: Date;
}

export abstract class TaxDetailStore {
  abstract find(creatorIds: readonly string[]): Promise<StoredTaxDetails[]>;
  abstract state(
    creatorId: string,
    details: { stated: StatedTaxDetails; sealedNumbers: Buffer },
    now: Date,
  ): Promise<void>;
  /** Stores what the provider says. Stores nothing about an account that was deleted. */
  abstract learn(creatorId: string, details: TaxDetailsOfProvider, now: Date): Promise<void>;
  /** Replaces the numbers, unless they were changed since. */
  abstract reseal(creatorId: string, before: Buffer, after: Buffer): Promise<void>;
}

const NO_NUMBERS: TaxNumbers = { taxIds: [], vatId: null };
const SHOWN_CHARACTERS = 3;
const endingOf = (number: string): string => number.slice(-SHOWN_CHARACTERS);

/** What creators state for tax reports, and what the payment provider adds. */
@Injectable()
export class CreatorTaxDetails {
  constructor(
    private readonly store: TaxDetailStore,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  async of(creatorId: string): Promise<TaxDetails> {
    const [stored] = await this.store.find([creatorId]);
    const person = personOf(stored, stored && (await this.numbersOf(stored)));
    return {
      stated: stored?.stated ?? null,
      fromProvider: stored?.fromProvider ?? null,
      report: reportFor(person.country),
      missing: missingIn(person),
      changedAt: stored?.changedAt.toISOString() ?? null,
    };
  }

  async state(creatorId: string, { taxIds, vatId, ...details }: TaxDetailsBody): Promise<TaxDetails> {
    const [stored] = await this.store.find([creatorId]);
    const known = (stored && (await this.numbersOf(stored))) ?? NO_NUMBERS;
    const numbers: TaxNumbers = {
      taxIds: taxIds ?? known.taxIds,
      vatId: vatId === undefined ? known.vatId : vatId,
    };
    const stated: StatedTaxDetails = {
      ...details,
      taxIds: numbers.taxIds.map(({ country, number }) => ({ country, ending: endingOf(number) })),
      vatId: numbers.vatId === null ? null : endingOf(numbers.vatId),
    };
    const sealedNumbers = await this.sealed(numbers, creatorId);
    await this.store.state(creatorId, { stated, sealedNumbers }, this.clock.now());
    return this.of(creatorId);
  }

  find(creatorIds: readonly string[]): Promise<StoredTaxDetails[]> {
    return this.store.find(creatorIds);
  }

  /**
   * Decrypts the numbers. Encrypts them again with the newest key, so that older keys can be retired.
   * @returns undefined if no known key opens them: the creator has to state them again
   */
  async numbersOf({ creatorId, sealedNumbers }: StoredTaxDetails): Promise<TaxNumbers | undefined> {
    if (!sealedNumbers) return NO_NUMBERS;
    const ring = await this.keys.of('tax-details');
    let opened;
    try {
      opened = unsealWith(ring, sealedNumbers, creatorId);
    } catch {
      return undefined;
    }
    const numbers = JSON.parse(opened.secret.toString()) as TaxNumbers;
    if (opened.key !== ring.signingAt(this.clock.now()))
      await this.store.reseal(creatorId, sealedNumbers, await this.sealed(numbers, creatorId));
    return numbers;
  }

  private async sealed(numbers: TaxNumbers, creatorId: string): Promise<Buffer> {
    const key = (await this.keys.of('tax-details')).signingAt(this.clock.now());
    return seal(Buffer.from(JSON.stringify(numbers)), key.secret, creatorId);
  }
}

/** Joins what the creator stated with what the provider knows. A statement of the creator counts as a whole. */
export function personOf(
  stored: StoredTaxDetails | undefined,
  numbers: TaxNumbers | undefined,
): TaxPerson & { region: string | null } {
  const { stated = null, fromProvider = null } = stored ?? {};
  const known = stated ?? fromProvider;
  return {
    country: known?.country ?? null,
    kind: known?.kind ?? null,
    legalName: known?.legalName ?? null,
    street: known?.street ?? null,
    city: known?.city ?? null,
    region: known?.region ?? null,
    postalCode: known?.postalCode ?? null,
    birthDate: known?.birthDate ?? null,
    registrationNumber: stated?.registrationNumber ?? null,
    taxIdCountries: numbers?.taxIds.map(({ country }) => country) ?? [],
    hasTaxIdAtProvider: fromProvider?.hasTaxId ?? false,
  };
}
