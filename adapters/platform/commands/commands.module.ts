import { Global, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Streams } from '../../../application/shared/streams.js';
import { Metrics } from '../observability/metrics.js';
import { ObservedCommandBus } from './observed-command-bus.js';

@Global()
@Module({
  // This CommandBus replaces the one of CqrsModule.
  imports: [
    {
      module: CqrsModule,
      global: true,
      providers: [
        {
          provide: CommandBus,
          useFactory: (moduleRef: ModuleRef, metrics: Metrics) => new ObservedCommandBus(moduleRef, metrics),
          inject: [ModuleRef, Metrics],
        },
      ],
    },
  ],
  providers: [Streams],
  exports: [CqrsModule, Streams],
})
export class CommandsModule {}
