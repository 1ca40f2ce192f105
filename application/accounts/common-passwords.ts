/** A published list of common passwords, in lower case. */
export abstract class CommonPasswords {
  abstract has(password: string): boolean;
}
