/**
 * Writes the generated documentation: the settings, .env.example and the command line.
 *
 *   npm run docs
 */
import { writeFileSync } from 'node:fs';
import { generatedDocs } from './generated-docs.js';

for (const [file, text] of Object.entries(generatedDocs())) writeFileSync(file, text);
