import { CertificateStore, type CertificateFacts } from '../../../application/purchases/certificates.js';
import type { Certificate } from '../../../application/purchases/contract.js';
import type { Database } from '../database.js';

export class PostgresCertificates extends CertificateStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(
    certificateId: string,
  ): Promise<{ certificate: Certificate; buyerId: string; stale: boolean } | undefined> {
    const found = await this.database.pool.query(
      `select document, signature, buyer_id from certificate where certificate_id = $1`,
      [certificateId],
    );
    const row = found.rows[0] as
      { document: Omit<Certificate, 'signature'>; signature: string; buyer_id: string } | undefined;
    if (!row) return undefined;
    const { document, signature, buyer_id: buyerId } = row;
    // Erasing a person empties the signatures together with the name.
    return { certificate: { ...document, signature }, buyerId, stale: signature === '' };
  }

  override async factsFor(buyerId: string, certificateId: string): Promise<CertificateFacts | undefined> {
    const found = await this.database.pool.query(
      `select json_build_object('id', s.sample_id, 'title', s.title, 'pack', p.title) as sample,
              json_build_object('id', o.creator_id, 'displayName', coalesce(c.display_name, 'Former creator')) as creator,
              json_build_object('id', o.buyer_id, 'displayName', coalesce(b.display_name, 'Former member')) as licensee,
              o.purchased_at, s.original_sha256
         from owned_sample o
         join sample s using (sample_id)
         join pack p on p.pack_id = s.pack_id
         left join user_account c on c.user_id = o.creator_id
         left join user_account b on b.user_id = o.buyer_id
        where o.buyer_id = $1 and o.certificate_id = $2`,
      [buyerId, certificateId],
    );
    const row = found.rows[0] as
      | (Pick<Certificate, 'sample' | 'creator' | 'licensee'> & {
          purchased_at: Date;
          original_sha256: string;
        })
      | undefined;
    return (
      row && {
        id: certificateId,
        sample: row.sample,
        creator: row.creator,
        licensee: row.licensee,
        issuedAt: row.purchased_at.toISOString(),
        fileSha256: row.original_sha256,
      }
    );
  }

  override async save({ signature, ...document }: Certificate): Promise<void> {
    await this.database.pool.query(
      `insert into certificate (certificate_id, buyer_id, sample_id, document, signature) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [document.id, document.licensee.id, document.sample.id, JSON.stringify(document), signature],
    );
  }

  override async replaceSignature(certificateId: string, signature: string): Promise<void> {
    await this.database.pool.query(
      `update certificate set signature = $2 where certificate_id = $1 and signature = ''`,
      [certificateId, signature],
    );
  }
}
