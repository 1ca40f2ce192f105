import { Module } from '@nestjs/common';
import {
  ReturnDefectiveSampleHandler,
  TakeDownPackHandler,
  TakeDownSampleHandler,
} from '../../application/publishing/takedowns.js';
import { ReturnsModule } from '../purchases/purchases.module.js';
import { PublishingModule } from './publishing.module.js';

@Module({
  imports: [PublishingModule, ReturnsModule],
  providers: [ReturnDefectiveSampleHandler, TakeDownPackHandler, TakeDownSampleHandler],
})
export class TakedownsModule {}
