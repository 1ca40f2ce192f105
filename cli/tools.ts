import { ConsoleLogger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../bootstrap/app.module.js';
import type { Config } from '../bootstrap/config.js';
import { openResources, type Resources } from '../bootstrap/resources.js';

/** Prints a line, and adds the line feed. */
export type Print = (line: string) => void;

/** The application for commands. Works with or without a running server. */
export interface Tools extends Resources {
  /** The application, without an HTTP server, event subscriptions or jobs. */
  app: INestApplicationContext;
}

/** Logs warnings to stderr, so that they do not mix with a command's output. */
class StandardError extends ConsoleLogger {
  override printMessages(messages: unknown[]): void {
    for (const message of messages) console.error(message);
  }
}

export async function openTools(given: Config): Promise<Tools> {
  // A command that publishes a pack does not wait for the copy check of its sounds; workers run it later.
  const config = { ...given, databaseReplicaUrl: undefined, searchIndex: false, copyCheckWaitMs: 0 };
  const resources = await openResources(config, 'beside');
  try {
    const app = await NestFactory.createApplicationContext(AppModule.with(resources), {
      logger: new StandardError({ logLevels: ['error', 'warn'] }),
      abortOnError: false,
    });
    const close = async (): Promise<void> => {
      await app.close();
      await resources.close();
    };
    return { ...resources, app, close };
  } catch (error) {
    await resources.close();
    throw error;
  }
}
