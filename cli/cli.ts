import 'reflect-metadata';
import { runOffcut } from './run.js';

process.exitCode = await runOffcut(process.argv.slice(2));
