import { AttachFileHandler } from './attachments.js';
import { ApplyAsCreatorHandler, DecideOnCreatorHandler } from './creator-handlers.js';
import {
  ChangeOfferHandler,
  ChangePackInfoHandler,
  DecideOnPackHandler,
  DraftPackHandler,
  ReplaceCoverHandler,
} from './pack-handlers.js';
import { RemoveSampleHandler } from './remove-sample.js';
import { SaveSampleFactsHandler } from './save-sample-facts.js';
import { AddSampleHandler, ReplaceSampleAudioHandler } from './upload-handlers.js';

/** What answers the commands of publishing. */
export const PUBLISHING_HANDLERS = [
  AddSampleHandler,
  ApplyAsCreatorHandler,
  AttachFileHandler,
  ChangeOfferHandler,
  ChangePackInfoHandler,
  DecideOnCreatorHandler,
  DecideOnPackHandler,
  DraftPackHandler,
  RemoveSampleHandler,
  ReplaceCoverHandler,
  ReplaceSampleAudioHandler,
  SaveSampleFactsHandler,
];
