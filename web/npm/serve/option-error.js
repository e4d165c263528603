/** The command line is wrong; the message is the one sentence that says how. */
export class OptionError extends Error {}
