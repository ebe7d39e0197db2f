/** The service refused a request, or did not answer. */
export class ServiceFailure extends Error {
  constructor(
    message: string,
    /** Null where nothing answered. */
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ServiceFailure';
  }

  /** Whether the same request may succeed soon. */
  get isPassing(): boolean {
    return this.status === null || this.status === 503 || this.status === 429;
  }
}
