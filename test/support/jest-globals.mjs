/** What tests import from Jest, as Jest gives it to a module of its own. */
export * from '@jest/globals';
