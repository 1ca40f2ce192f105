import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AudioStudio } from '../../application/ports/audio-studio.js';
import { BalanceGateway } from '../../application/ports/balance-gateway.js';
import { Clock, WallClock } from '../../application/ports/clock.js';
import { CreditDesk } from '../../application/ports/credit-desk.js';
import { EventStore } from '../../application/ports/event-store.js';
import { ImageStudio } from '../../application/ports/image-studio.js';
import { Mailer } from '../../application/ports/mailer.js';
import { ObjectStorage } from '../../application/ports/object-storage.js';
import { PaymentGateway } from '../../application/ports/payment-gateway.js';
import { PayoutGateway } from '../../application/ports/payout-gateway.js';
import { RefundGateway } from '../../application/ports/refund-gateway.js';
import { ReadModelProgress } from '../../application/ports/read-model-progress.js';
import { Secrets } from '../../application/ports/secrets.js';
import { Database } from '../postgres/database.js';
import { CONFIG } from './config.js';
import type { Resources } from './resources.js';

/** Injects the database that the public catalogue is read from. */
export const CATALOGUE_DATABASE = Symbol('CATALOGUE_DATABASE');

/** The ports, filled with what was opened; visible everywhere. */
@Global()
@Module({})
export class CoreModule {
  static with(resources: Resources): DynamicModule {
    const providers: Provider[] = [
      { provide: CONFIG, useValue: resources.config },
      { provide: Clock, useValue: resources.clock },
      { provide: WallClock, useValue: resources.wallClock },
      { provide: Database, useValue: resources.database },
      { provide: CATALOGUE_DATABASE, useValue: resources.catalogueDatabase },
      { provide: EventStore, useValue: resources.eventStore },
      { provide: ReadModelProgress, useValue: resources.followers },
      { provide: CreditDesk, useValue: resources.creditDesk },
      { provide: Secrets, useValue: resources.secrets },
      { provide: ObjectStorage, useValue: resources.storage },
      { provide: AudioStudio, useValue: resources.audioStudio },
      { provide: ImageStudio, useValue: resources.imageStudio },
      { provide: Mailer, useValue: resources.mailer },
      { provide: PaymentGateway, useValue: resources.payments },
      { provide: PayoutGateway, useValue: resources.payouts },
      { provide: RefundGateway, useValue: resources.refunds },
      { provide: BalanceGateway, useValue: resources.balance },
    ];
    return {
      module: CoreModule,
      providers,
      exports: providers.map((provider) => (provider as { provide: symbol }).provide),
    };
  }
}
