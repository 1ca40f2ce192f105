import { Module } from '@nestjs/common';
import { Library, LibraryStore } from '../../application/library/library.js';
import { LibraryController } from './library.controller.js';
import { PostgresLibraryStore } from './postgres-library.js';

@Module({
  controllers: [LibraryController],
  providers: [Library, { provide: LibraryStore, useClass: PostgresLibraryStore }],
})
export class LibraryModule {}
