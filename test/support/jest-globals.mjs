/** Re-exports what a test file imports from Jest, for modules that Node loads. */
export * from '@jest/globals';
