import 'reflect-metadata';
import { runOffcut } from './commands.js';

process.exitCode = await runOffcut(process.argv.slice(2));
