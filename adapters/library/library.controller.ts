import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  DownloadsImportBody,
  History,
  HistoryEntryBody,
  ImportedDownloads,
  LibraryQuery,
  SavedImportAnswer,
  SavedImportBody,
  SavedItem,
  SavedItemId,
  SavedPage,
  SavedRow,
} from '../../application/library/contract.js';
import { Library } from '../../application/library/library.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ROWS_LIMIT_BYTES, Takes } from '../platform/http/bodies/body.js';
import { invalidRequest } from '../platform/http/validation.js';

/** Hearts and recently played things of whoever is signed in. */
@ApiTags('Library')
@Controller('api/library')
@AccessFor('user')
export class LibraryController {
  constructor(private readonly library: Library) {}

  @Get('saved')
  @ApiResponse({ status: 200, standardSchema: SavedPage })
  async saved(
    @CurrentActor() actor: Actor,
    @Query({ schema: LibraryQuery }) query: z.infer<typeof LibraryQuery>,
  ): Promise<SavedPage> {
    return this.library.saved(actor.userId, query);
  }

  @Put('saved/:itemId')
  @ApiResponse({ status: 200, standardSchema: SavedRow })
  async save(
    @CurrentActor() actor: Actor,
    @Param('itemId', { schema: SavedItemId }) itemId: string,
    @Body({ schema: SavedItem }) item: SavedItem,
  ): Promise<SavedRow> {
    if (item.id !== undefined && item.id !== itemId)
      throw invalidRequest([{ path: ['id'], message: 'The id is not the one in the address' }]);
    return this.library.save(actor.userId, itemId, item);
  }

  @Delete('saved/:itemId')
  @HttpCode(204)
  async remove(
    @CurrentActor() actor: Actor,
    @Param('itemId', { schema: SavedItemId }) itemId: string,
  ): Promise<void> {
    await this.library.remove(actor.userId, itemId);
  }

  @Post('saved/import')
  @Takes('json', ROWS_LIMIT_BYTES)
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: SavedImportAnswer })
  async importSaved(
    @CurrentActor() actor: Actor,
    @Body({ schema: SavedImportBody }) { items }: z.infer<typeof SavedImportBody>,
  ): Promise<z.infer<typeof SavedImportAnswer>> {
    return { imported: await this.library.importSaved(actor.userId, items) };
  }

  @Post('downloads/import')
  @Takes('json', ROWS_LIMIT_BYTES)
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: SavedImportAnswer })
  async importDownloads(
    @CurrentActor() actor: Actor,
    @Body({ schema: DownloadsImportBody }) { items }: z.infer<typeof DownloadsImportBody>,
  ): Promise<z.infer<typeof SavedImportAnswer>> {
    return { imported: await this.library.importDownloads(actor.userId, items) };
  }

  @Get('downloads/imported')
  @ApiResponse({ status: 200, standardSchema: ImportedDownloads })
  async importedDownloads(@CurrentActor() actor: Actor): Promise<z.infer<typeof ImportedDownloads>> {
    return { items: await this.library.importedDownloads(actor.userId) };
  }

  @Get('history')
  @ApiResponse({ status: 200, standardSchema: History })
  async history(@CurrentActor() actor: Actor): Promise<History> {
    return this.library.history(actor.userId);
  }

  @Post('history')
  @ApiResponse({ status: 201, standardSchema: History })
  async played(
    @CurrentActor() actor: Actor,
    @Body({ schema: HistoryEntryBody }) entry: z.infer<typeof HistoryEntryBody>,
  ): Promise<History> {
    return this.library.played(actor.userId, entry);
  }
}
