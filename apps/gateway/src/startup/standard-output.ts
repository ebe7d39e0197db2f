/** Tells a person something; rejects when nobody can have heard it. */
export function say(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

/** Whoever reads along may stop: the service goes on without being heard. */
export function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}
