/** A mistake that the user can correct. It is printed as one line, without a stack trace. */
export class CommandRefused extends Error {}
