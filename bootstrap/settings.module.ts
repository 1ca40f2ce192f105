import { join } from 'node:path';
import { Global, Logger, Module, type FactoryProvider } from '@nestjs/common';
import { CallerDevice, SessionCookie } from '../adapters/accounts/signed-in-answer.js';
import { SessionMemory } from '../adapters/accounts/session-memory.js';
import { IndexSnapshots } from '../adapters/catalogue/search/index-snapshots.js';
import { IndexSubscription } from '../adapters/catalogue/search/index-subscription.js';
import { SecurityTxt } from '../adapters/catalogue/security-txt.js';
import { CATALOGUE_DATABASE, type Database } from '../adapters/platform/database/database.js';
import { PublicAddress } from '../adapters/platform/pages/public-address.js';
import { Argon2PasswordHasher } from '../adapters/vendors/argon2/argon2.js';
import { ZxcvbnCommonPasswords } from '../adapters/vendors/zxcvbn/common-passwords.js';
import { DiskObjectStorage } from '../adapters/vendors/disk/disk-object-storage.js';
import { DiskWorkingFiles } from '../adapters/vendors/disk/disk-working-files.js';
import { HttpCachePurge } from '../adapters/vendors/cdn/http-cache-purge.js';
import { GoogleIdentity } from '../adapters/vendors/google/google-identity.js';
import { S3ObjectStorage } from '../adapters/vendors/s3/s3-object-storage.js';
import { WorkerPrinter } from '../adapters/vendors/pdf/worker-printer.js';
import { WorkerSoundStudio } from '../adapters/vendors/audio/fingerprint/worker-sound-studio.js';
import { MarkdownItRenderer } from '../adapters/vendors/markdown/markdown-it.js';
import { SimpleWebAuthn } from '../adapters/vendors/webauthn/simple-webauthn.js';
import { YauzlStemsArchives } from '../adapters/vendors/zip/yauzl-stems-archives.js';
import { YazlArchiver } from '../adapters/vendors/zip/yazl-archiver.js';
import { AccountSettings } from '../application/accounts/account-settings.js';
import { IdentityProvider } from '../application/accounts/external-sign-in.js';
import { PasskeyVerifier } from '../application/accounts/factors/factor-stores.js';
import { CommonPasswords, PasswordHasher } from '../application/accounts/passwords.js';
import { SentMailSettings } from '../application/mail/sent-mails.js';
import { CachePurge, NoCachePurge } from '../application/media/cache-purge.js';
import { OnboardingReturn } from '../application/payouts/payout-accounts.js';
import { PublishingSettings } from '../application/publishing/publishing-settings.js';
import { SoundStudio } from '../application/publishing/sounds/sound-studio.js';
import { StatementPrinter } from '../application/ledger/reports/monthly-statement.js';
import { YearPrinter } from '../application/payouts/earnings-years.js';
import { StemsArchives } from '../application/publishing/samples/attach-file.js';
import { WorkingFiles } from '../application/publishing/samples/working-files.js';
import { Archiver } from '../application/storage/archive.js';
import { CertificatePrinter, CertificatePages } from '../application/purchases/certificates.js';
import { LegalTexts, Markdown } from '../application/legal/legal-texts.js';
import { MultipartUploads } from '../application/storage/multipart-uploads.js';
import { ObjectStorage } from '../application/storage/object-storage.js';
import { WallClock } from '../application/shared/clock.js';
import { SignedUrlVerifier } from '../application/storage/signed-urls.js';
import { TaxTerms } from '../application/subscriptions/tax.js';
import { GiftTerms } from '../application/subscriptions/gifts.js';
import { CheckoutReturn } from '../application/subscriptions/change-subscription.js';
import { CONFIG, type Config } from './config.js';
import { readLegalTexts } from './legal-folder.js';

type Provided = FactoryProvider['provide'];

const fromConfig = (provide: Provided, useFactory: (config: Config) => unknown): FactoryProvider => ({
  provide,
  useFactory,
  inject: [CONFIG],
});

const providers = [
  fromConfig(
    AccountSettings,
    ({ publicUrl, smtpUrl, rateLimitScale, sessions, staffNeedsSecondFactor }) =>
      new AccountSettings(publicUrl, smtpUrl !== undefined, rateLimitScale, sessions, staffNeedsSecondFactor),
  ),
  fromConfig(SentMailSettings, ({ sentMailsDays }) => new SentMailSettings(sentMailsDays)),
  fromConfig(CallerDevice, ({ countryHeader }) => new CallerDevice(countryHeader)),
  fromConfig(SessionCookie, ({ publicUrl }) => new SessionCookie(publicUrl)),
  fromConfig(SessionMemory, ({ sessionMemoryMs }) => new SessionMemory(sessionMemoryMs)),
  fromConfig(IdentityProvider, ({ google }) =>
    google ? new GoogleIdentity(google, google.timeoutMs) : null,
  ),
  fromConfig(
    PublishingSettings,
    ({ autoApproveCreators, refusedOrigins, requiresOrigin, copyCheckWaitMs, role, s3 }) =>
      new PublishingSettings(
        autoApproveCreators,
        refusedOrigins,
        requiresOrigin,
        copyCheckWaitMs,
        // A node without a bucket encodes uploads itself, because workers elsewhere cannot read its local folder.
        role === 'all' && s3 === undefined,
      ),
  ),
  fromConfig(WorkingFiles, ({ dataDir }) => new DiskWorkingFiles(join(dataDir, 'uploads'))),
  fromConfig(SoundStudio, () => new WorkerSoundStudio()),
  fromConfig(CachePurge, ({ cdnPurge }) => (cdnPurge ? new HttpCachePurge(cdnPurge) : new NoCachePurge())),
  fromConfig(CertificatePages, ({ publicUrl }) => new CertificatePages(publicUrl)),
  fromConfig(LegalTexts, ({ legalDir }) => readLegalTexts(legalDir)),
  fromConfig(TaxTerms, ({ tax }) => new TaxTerms(tax !== undefined, tax?.seller ?? '')),
  fromConfig(GiftTerms, ({ giftValidDays }) => new GiftTerms(giftValidDays)),
  fromConfig(CheckoutReturn, ({ publicUrl }) => CheckoutReturn.on(publicUrl)),
  fromConfig(OnboardingReturn, ({ publicUrl }) => OnboardingReturn.on(publicUrl)),
  fromConfig(PublicAddress, ({ publicUrl, mediaBaseUrl }) => new PublicAddress(publicUrl, mediaBaseUrl)),
  {
    provide: SecurityTxt,
    useFactory: ({ publicUrl, security }: Config, clock: WallClock) =>
      new SecurityTxt(publicUrl, security, clock),
    inject: [CONFIG, WallClock],
  },
  {
    provide: IndexSnapshots,
    useFactory: (database: Database, storage: ObjectStorage, clock: WallClock) =>
      new IndexSnapshots(database, storage, clock, new Logger('Search')),
    inject: [CATALOGUE_DATABASE, ObjectStorage, WallClock],
  },
  {
    provide: IndexSubscription,
    useFactory: (database: Database, config: Config, snapshots: IndexSnapshots) =>
      config.searchIndex ? new IndexSubscription(database, new Logger('Search'), undefined, snapshots) : null,
    inject: [CATALOGUE_DATABASE, CONFIG, IndexSnapshots],
  },
  {
    provide: SignedUrlVerifier,
    useFactory: (storage: ObjectStorage) =>
      storage instanceof DiskObjectStorage ? storage.signedUrls : null,
    inject: [ObjectStorage],
  },
  {
    provide: MultipartUploads,
    useFactory: (storage: ObjectStorage) => (storage instanceof S3ObjectStorage ? storage.multipart : null),
    inject: [ObjectStorage],
  },
  { provide: Markdown, useClass: MarkdownItRenderer },
  { provide: PasskeyVerifier, useClass: SimpleWebAuthn },
  { provide: PasswordHasher, useClass: Argon2PasswordHasher },
  { provide: CommonPasswords, useClass: ZxcvbnCommonPasswords },
  { provide: Archiver, useClass: YazlArchiver },
  { provide: StemsArchives, useClass: YauzlStemsArchives },
  { provide: CertificatePrinter, useClass: WorkerPrinter },
  { provide: StatementPrinter, useExisting: CertificatePrinter },
  { provide: YearPrinter, useExisting: CertificatePrinter },
];

@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class SettingsModule {}
