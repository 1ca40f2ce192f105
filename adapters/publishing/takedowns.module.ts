import { Module } from '@nestjs/common';
import { ReturnDefectiveSampleHandler } from '../../application/publishing/return-defective-sample.js';
import { TakeDownPackHandler } from '../../application/publishing/take-down-pack.js';
import { TakeDownSampleHandler } from '../../application/publishing/take-down-sample.js';
import { ReturnsModule } from '../purchases/returns.module.js';
import { PublishingModule } from './publishing.module.js';

@Module({
  imports: [PublishingModule, ReturnsModule],
  providers: [ReturnDefectiveSampleHandler, TakeDownPackHandler, TakeDownSampleHandler],
})
export class TakedownsModule {}
