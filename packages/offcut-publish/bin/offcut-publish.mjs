#!/usr/bin/env node
// npm links a program only if its file exists when the packages are installed, and the build comes later.
await import('../dist/offcut-publish.mjs');
