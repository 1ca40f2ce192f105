import { SetAiPreferenceHandler } from './ai-preferences.js';
import { AttachFileHandler } from './samples/attachments.js';
import { ApplyAsCreatorHandler, DecideOnCreatorHandler, VerifyCreatorHandler } from './creator-handlers.js';
import { ChangeOfferHandler } from './publish-pack.js';
import {
  ChangePackInfoHandler,
  DecideOnPackHandler,
  DraftPackHandler,
  ReplaceCoverHandler,
} from './pack-handlers.js';
import { RemoveSampleHandler } from './samples/remove-sample.js';
import { SaveSampleFactsHandler } from './samples/save-sample-facts.js';
import { DecideOnSampleHandler } from './sample-statuses.js';
import { UndoReplacementHandler } from './samples/undo-replacement.js';
import { AddSampleHandler, ReplaceSampleAudioHandler } from './samples/upload-handlers.js';

export const PUBLISHING_HANDLERS = [
  AddSampleHandler,
  ApplyAsCreatorHandler,
  AttachFileHandler,
  ChangeOfferHandler,
  ChangePackInfoHandler,
  DecideOnCreatorHandler,
  DecideOnPackHandler,
  DecideOnSampleHandler,
  DraftPackHandler,
  RemoveSampleHandler,
  ReplaceCoverHandler,
  ReplaceSampleAudioHandler,
  SaveSampleFactsHandler,
  SetAiPreferenceHandler,
  UndoReplacementHandler,
  VerifyCreatorHandler,
];
