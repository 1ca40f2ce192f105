import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startTestDatabase } from '../support/postgres.js';
import { SCHEMA_FILE, schemaTypes } from '../support/schema.js';

it('[DEV-04] the types of the tables are those that the migrations leave', async () => {
  const { database, close } = await startTestDatabase();
  try {
    expect(await schemaTypes(database)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  } finally {
    await close();
  }
});
