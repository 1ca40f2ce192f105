/** Raw SQL: PostgreSQL adds names to the JSON of certificates. One statement stores any number of them. */
import {
  CertificateStore,
  type CertificateFacts,
  type Licensed,
} from '../../application/purchases/certificates.js';
import type { Certificate, CertifiedCopy } from '../../application/purchases/contract.js';
import { CertifiedCopies } from '../../application/purchases/tagged-copies.js';
import type { Origin } from '../../domain/shared/origin.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { DatabaseAdapter } from '../platform/database/database.js';

interface FactsRow extends Pick<Certificate, 'id' | 'sample' | 'creator' | 'licensee' | 'licenceVersion'> {
  trains: boolean;
  origin: Origin | null;
  purchased_at: Date;
  original_sha256: string;
}

const FACTS = `
  select o.certificate_id as id, json_build_object('id', s.sample_id, 'title', s.title, 'pack', p.title) as sample,
              json_build_object('id', o.creator_id, 'displayName', coalesce(c.display_name, 'Former creator')) as creator,
              json_build_object('id', o.buyer_id, 'displayName', coalesce(b.display_name, 'Former member')) as licensee,
              o.purchased_at, s.original_sha256, s.origin,
              (select version from licence where since <= o.purchased_at order by since desc limit 1) as "licenceVersion",
              coalesce((select trains from ai_preference where user_id = o.creator_id), false) as trains
         from owned_sample o
         join sample s using (sample_id)
         join pack p on p.pack_id = s.pack_id
         left join user_account c on c.user_id = o.creator_id
         left join user_account b on b.user_id = o.buyer_id`;

const factsFrom = ({
  trains,
  origin,
  purchased_at,
  original_sha256,
  ...facts
}: FactsRow): CertificateFacts => ({
  ...facts,
  ...(facts.licenceVersion === '1.0' ? {} : { aiTraining: trains }),
  ...(origin && { origin }),
  issuedAt: purchased_at.toISOString(),
  fileSha256: original_sha256,
});

export class PostgresCertificates extends DatabaseAdapter implements CertificateStore {
  async find(certificateId: string) {
    const row = await this.database.db
      .selectFrom('certificate')
      .select(['document', 'signature', 'buyer_id'])
      .where('certificate_id', '=', certificateId)
      .executeTakeFirst();
    if (!row) return undefined;
    const { document, signature, buyer_id: buyerId } = row;
    // Erasing a person removes the name from the certificate and clears its signature.
    return { certificate: { ...document, signature }, buyerId, stale: signature === '' };
  }

  async factsFor(buyerId: string, certificateId: string): Promise<CertificateFacts | undefined> {
    const found = await this.database.pool.query<FactsRow>(
      `${FACTS} where o.buyer_id = $1 and o.certificate_id = $2`,
      [buyerId, certificateId],
    );
    return found.rows[0] && factsFrom(found.rows[0]);
  }

  async factsOf(purchases: readonly Licensed[]): Promise<CertificateFacts[]> {
    const found = await this.database.pool.query<FactsRow>({
      name: 'certificate-facts',
      text: `${FACTS} join unnest($1::text[], $2::text[], $3::text[]) as wanted(buyer_id, sample_id, certificate_id)
               on wanted.buyer_id = o.buyer_id and wanted.sample_id = o.sample_id and wanted.certificate_id = o.certificate_id`,
      values: [
        purchases.map(({ buyerId }) => buyerId),
        purchases.map(({ sampleId }) => sampleId),
        purchases.map(({ certificateId }) => certificateId),
      ],
    });
    return found.rows.map(factsFrom);
  }

  async waveformOf({ sample, fileSha256 }: Certificate): Promise<number[] | null> {
    const row = await this.database.db
      .selectFrom('sample')
      .select('waveform_fine as waveform')
      .where('sample_id', '=', sample.id)
      .where('original_sha256', '=', fileSha256)
      .executeTakeFirst();
    return row && row.waveform.length > 0 ? row.waveform : null;
  }

  async save(certificates: readonly Certificate[]): Promise<void> {
    await this.database.pool.query({
      name: 'save-certificates',
      text: `insert into certificate (certificate_id, buyer_id, sample_id, document, signature)
             select * from unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::text[]) on conflict do nothing`,
      values: [
        certificates.map(({ id }) => id),
        certificates.map(({ licensee }) => licensee.id),
        certificates.map(({ sample }) => sample.id),
        certificates.map(({ signature: _signature, ...document }) => JSON.stringify(document)),
        certificates.map(({ signature }) => signature),
      ],
    });
  }

  async replaceStale({ signature, ...document }: Certificate): Promise<void> {
    await this.database.db
      .updateTable('certificate')
      .set({ signature, document })
      .where('certificate_id', '=', document.id)
      .where('signature', '=', '')
      .execute();
  }
}

export class PostgresCertifiedCopies extends DatabaseAdapter implements CertifiedCopies {
  async record(certificateId: string, { sha256, sizeBytes, madeAt }: CertifiedCopy): Promise<void> {
    await this.database.db
      .insertInto('certified_copy')
      .values({ certificate_id: certificateId, sha256, size_bytes: sizeBytes, made_at: new Date(madeAt) })
      .onConflict((conflict) => conflict.columns(['certificate_id', 'sha256']).doNothing())
      .execute();
  }

  async of(certificateId: string): Promise<CertifiedCopy[]> {
    const rows = await this.database.db
      .selectFrom('certified_copy')
      .select(['sha256', 'size_bytes as sizeBytes', 'made_at as madeAt'])
      .where('certificate_id', '=', certificateId)
      .orderBy('made_at')
      .execute();
    return rows.map(withIsoTimes);
  }
}
