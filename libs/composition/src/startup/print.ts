export type Print = (text: string) => Promise<void>;

/** Writes to standard output; rejects if that fails. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

/** Keeps the process alive when the reader of its output closes the pipe. */
export function ignoreClosedOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}
