import { publishFromArguments } from './main.js';

process.exitCode = await publishFromArguments(process.argv.slice(2));
